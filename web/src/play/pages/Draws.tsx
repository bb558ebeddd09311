import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { formatShort } from '../../i18n';
import { Chevron } from '../parts/art';
import { Head } from '../parts/Head';
import { More } from '../parts/More';
import { MISS, Picture } from '../parts/Picture';
import { Empty, Failed, Loading } from '../parts/states';
import { VirtualList } from '../parts/VirtualList';
import { activityRead, drawsRead } from '../reads';
import { useText } from '../text';
import { ExportCheck } from './ExportCheck';
import '../style/check.css';

/** How high a row is, before one was measured. */
const ROW_PX = 68;

/** My draws in an activity, each with the way to its proof. */
export default function Draws() {
  const { id = '' } = useParams();
  const { t, language } = useText();
  const activity = useQuery(activityRead(id));
  const query = useInfiniteQuery(drawsRead(id));
  const tickets = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <Head title={t('draws.title')} back={`/activities/${id}`} />
      <p className="lead">{activity.data?.name}</p>
      <p className="quiet">{t('draws.text')}</p>
      {query.isPending && <Loading />}
      {!query.data && query.error && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && tickets.length === 0 && <Empty title={t('draws.empty')} />}
      <VirtualList rows={tickets} keyOf={(ticket) => ticket.ticket} rowPx={ROW_PX} className="rows">
        {(ticket) => {
          const won = ticket.draws.filter((draw) => draw.prize);
          return (
            <Link to={`/activities/${id}/check/${ticket.ticket}`} className="row">
              <span className="row-faces" aria-hidden="true">
                {ticket.draws.slice(0, 10).map((draw) => (
                  <Picture key={draw.n} prize={draw.prize ?? MISS} size={24} />
                ))}
              </span>
              <span className="row-words">
                <b>
                  {ticket.count > 1
                    ? t('draws.ten', { count: won.length })
                    : (won[0]?.prize?.name ?? t('miss'))}
                </b>
                <small>
                  {formatShort(ticket.at_ms, language)}
                  {ticket.receipt && ` · ${t('draws.place', { place: ticket.receipt.place })}`}
                </small>
              </span>
              <span className="row-end">
                {t('draws.check')}
                <Chevron />
              </span>
            </Link>
          );
        }}
      </VirtualList>
      <More query={query} />
      <ExportCheck id={id} />
    </>
  );
}
