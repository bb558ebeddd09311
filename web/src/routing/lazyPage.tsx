import { type ComponentType, lazy } from 'react';
import { useLocation } from 'react-router';
import { Lost } from '../api/problem';

/**
 * A page that is fetched when it is first looked at. `lazy` itself keeps a failure for good; this one asks again the next
 * time that somebody comes to the page, and not before: while it is shown as broken it asks nobody.
 */
export function lazyPage(fetch: () => Promise<{ default: ComponentType }>): ComponentType {
  let visit = '';
  let failed: string | undefined;
  const begin = () =>
    lazy(async () => {
      const asked = visit;
      try {
        return await fetch();
      } catch (error) {
        failed = asked;
        throw new Lost('the page did not come', { cause: error });
      }
    });
  let Page = begin();
  return function Fetched() {
    visit = useLocation().key;
    if (failed !== undefined && failed !== visit) {
      failed = undefined;
      Page = begin();
    }
    return <Page />;
  };
}
