// Where a routing tree leads: the activity that it picks for whoever is signed in, drawn from by way of the tree, so that the
// draw's record has the path.
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { hasCode } from '../../api/problem';
import { Empty, Failed, Loading } from '../parts/states';
import { routeRead } from '../reads';
import { useText } from '../text';
import Lost from './Lost';
import { PlayOf } from './Play';

export default function Go() {
  const { tree = '' } = useParams();
  const { t } = useText();
  const { data, error, isPending, refetch } = useQuery(routeRead(tree));
  if (isPending) return <Loading />;
  if (data) return <PlayOf id={data.activity} tree={tree} />;
  if (hasCode(error, 'not_found', 'invalid_field')) return <Lost />;
  if (hasCode(error, 'not_eligible')) return <Empty title={t('go.nothing')} />;
  return <Failed error={error} retry={() => void refetch()} />;
}
