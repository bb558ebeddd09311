import { useText } from '../text';
import { Refused } from './states';

interface MoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; error: unknown; fetchNextPage(): unknown };
}

/** The next page of a list, where there is one. */
export function More({ query }: MoreProps) {
  const { t } = useText();
  if (!query.hasNextPage) return null;
  return (
    <div className="more">
      <Refused error={query.error} />
      <button
        type="button"
        className="button"
        disabled={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        {query.isFetchingNextPage ? t('wait') : t('more')}
      </button>
    </div>
  );
}
