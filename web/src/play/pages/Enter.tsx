import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { api, ask } from '../../api/client';
import { Mark } from '../parts/art';
import { ErrorText, Loading } from '../parts/states';
import { useTitle } from '../parts/useTitle';
import { useSession } from '../session';
import { useText } from '../text';

/** Where on this site the link leads; never to another. */
export function destination(query: string): string {
  const to = new URLSearchParams(query).get('to') ?? '/';
  return /^\/(?![/\\])/.test(to) ? to : '/';
}

/** Redeems the one-time sign-in link in this page's address, then goes where it leads. */
export default function Enter() {
  const { t } = useText();
  const { entered } = useSession();
  const navigate = useNavigate();
  const [error, setError] = useState<unknown>();
  const [none, setNone] = useState(false);
  const begun = useRef(false);
  useTitle(t('enter.title'));
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    // The token leaves the address bar before anything else: it must not stay in the history or reach a screenshot.
    const token = location.hash.slice(1);
    const query = location.search;
    history.replaceState(null, '', location.pathname);
    if (!token) {
      setNone(true);
      return;
    }
    ask((signal) => api.POST('/auth/links/redeem', { signal, body: { token } }))
      .then(entered)
      .then(() => navigate(destination(query), { replace: true }))
      .catch(setError);
  }, [entered, navigate]);
  return (
    <div className="entrance">
      <Mark size={64} />
      <h1>{t('enter.title')}</h1>
      {!none && !error && <Loading />}
      {none && <p role="alert">{t('enter.none')}</p>}
      {error !== undefined && (
        <div role="alert">
          <ErrorText error={error} />
        </div>
      )}
      {(none || error !== undefined) && (
        <Link to="/" className="button">
          {t('nav.home')}
        </Link>
      )}
    </div>
  );
}
