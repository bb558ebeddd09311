import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { hasCode } from '../../api/problem';
import { formatShort } from '../../i18n';
import { Head } from '../parts/Head';
import { More } from '../parts/More';
import { Empty, Failed, Loading } from '../parts/states';
import { shownName } from '../people';
import { winnersRead } from '../reads';
import { useText } from '../text';
import Lost from './Lost';

/** Everybody who won, by masked name, once those who run it have published the list. */
export default function Winners() {
  const { id = '' } = useParams();
  const { t, language } = useText();
  const query = useInfiniteQuery(winnersRead(id));
  const winners = query.data?.pages.flatMap((page) => page.items) ?? [];
  if (hasCode(query.error, 'not_found', 'invalid_field') && !query.data) return <Lost />;
  // Before it is published, the list is for staff.
  const sealed = !query.data && hasCode(query.error, 'unauthenticated', 'forbidden');
  return (
    <>
      <Head title={t('winners.all')} back={`/activities/${id}`} />
      {query.isPending && <Loading />}
      {sealed && (
        <Empty title={t('winners.sealed')}>
          <p className="quiet">{t('winners.sealedText')}</p>
        </Empty>
      )}
      {!query.data && query.error && !sealed && (
        <Failed error={query.error} retry={() => void query.refetch()} />
      )}
      {query.data && winners.length === 0 && <Empty title={t('winners.none')} />}
      {winners.length > 0 && (
        <ul className="winners">
          {winners.map((winner, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: masked names may be the same, places are not
            <li key={place}>
              <b>{shownName(winner.name, t)}</b>
              <span>{winner.prize_name}</span>
              <small>{formatShort(winner.at_ms, language)}</small>
            </li>
          ))}
        </ul>
      )}
      <More query={query} />
    </>
  );
}
