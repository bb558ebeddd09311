import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Failed, Loading } from '../../play/parts/states';
import { shownName } from '../../play/people';
import { useSession } from '../../play/session';
import { useText } from '../../play/text';
import { postsRead } from '../reads';
import { suggestPeople } from '../suggestPeople';
import { Level } from './Byline';
import { Face } from './Face';
import { FollowButton } from './FollowButton';
import styles from './Suggestions.module.css';

/** People to follow: those whose posts are read most now. Nothing where nobody else writes. */
export function Suggestions() {
  const { t } = useText();
  const { me } = useSession();
  const query = useInfiniteQuery(postsRead('hot'));
  if (query.isPending) return <Loading />;
  if (!query.data) return <Failed error={query.error} retry={() => void query.refetch()} />;
  const people = suggestPeople(
    query.data.pages.flatMap((page) => page.items),
    me?.id,
  );
  if (people.length === 0) return null;
  return (
    <section className={styles.people} aria-labelledby="suggestions">
      <h3 id="suggestions">{t('feed.suggestions')}</h3>
      <ul>
        {people.map((person) => (
          <li key={person.id}>
            <Face person={person} />
            <Link to={`/members/${person.id}`} className={styles.name}>
              {shownName(person.name, t)}
              <Level level={person.level} />
            </Link>
            <FollowButton id={person.id} small />
          </li>
        ))}
      </ul>
    </section>
  );
}
