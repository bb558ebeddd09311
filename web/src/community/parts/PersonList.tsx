import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ListedPersonBody } from '../../api/wire';
import { Chevron } from '../../play/parts/art';
import { Empty, Failed, Loading } from '../../play/parts/states';
import { VirtualList } from '../../play/parts/VirtualList';
import { shownName } from '../../play/people';
import { useText } from '../../play/text';
import type { PersonListName } from '../keys';
import { peopleRead } from '../reads';
import { Age, Level } from './Byline';
import { Face } from './Face';
import { MoreInSight } from './MoreInSight';
import styles from './PersonList.module.css';

/** How high a row is, before one was measured. */
const ROW_PX = 72;

interface Props {
  list: PersonListName;
  id: string;
  empty: string;
}

/** People, newest first, each with the way to their page. */
export function PersonList({ list, id, empty }: Props) {
  const query = useInfiniteQuery(peopleRead(list, id));
  const people = query.data?.pages.flatMap((page) => page.items) ?? [];
  if (query.isPending) return <Loading />;
  if (!query.data) return <Failed error={query.error} retry={() => void query.refetch()} />;
  if (people.length === 0 && !query.hasNextPage) return <Empty title={empty} />;
  return (
    <>
      <VirtualList rows={people} keyOf={(person) => person.id} rowPx={ROW_PX}>
        {(person) => <PersonRow person={person} />}
      </VirtualList>
      <MoreInSight query={query} />
    </>
  );
}

function PersonRow({ person }: { person: ListedPersonBody }) {
  const { t } = useText();
  return (
    <Link to={`/members/${person.id}`} className={styles.row}>
      <Face person={person} />
      <span className={styles.words}>
        <span className={styles.name}>
          {shownName(person.name, t)}
          <Level level={person.level} />
        </span>
        <small>
          <Age at={person.since_ms} />
        </small>
      </span>
      <Chevron />
    </Link>
  );
}
