// Search over posts, people, activities and items. What is looked for is in the address, so that the way back leads to it.
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { hasCode } from '../../api/problem';
import { Head } from '../../play/parts/Head';
import { Empty, Failed, Loading } from '../../play/parts/states';
import { VirtualList } from '../../play/parts/VirtualList';
import { signInPath } from '../../play/session';
import { useText } from '../../play/text';
import { SEARCH_KINDS, type SearchKindName, searchKindOf, searchPath } from '../found';
import { Found } from '../parts/Found';
import { SearchIcon } from '../parts/icons';
import { MoreInSight } from '../parts/MoreInSight';
import { searchRead } from '../reads';
import { addRecentSearch, clearRecentSearches, recentSearches } from '../recentSearches';
import styles from './Search.module.css';

/** How high a result is, before one was measured. */
const ROW_PX = 104;
/** Characters of a query, as the server has it. */
const QUERY_MAX = 100;

export default function Search() {
  const [params] = useSearchParams();
  const query = (params.get('q') ?? '').trim();
  const kind = searchKindOf(params.get('kind'));
  // What is typed begins anew with every search.
  return <Searching key={query} query={query} kind={kind} />;
}

function Searching({ query, kind }: { query: string; kind: SearchKindName }) {
  const { t } = useText();
  const navigate = useNavigate();
  const [typed, setTyped] = useState(query);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = typed.trim();
    if (wanted === '') return;
    addRecentSearch(wanted);
    void navigate(searchPath(wanted, kind));
  };
  return (
    <>
      <Head title={t('search.title')} back="/community" />
      {/* biome-ignore lint/a11y/useSemanticElements: every browser that we serve knows the role, not all the element */}
      <form role="search" className={styles.form} onSubmit={submit}>
        <input
          type="search"
          name="q"
          value={typed}
          maxLength={QUERY_MAX}
          enterKeyHint="search"
          autoComplete="off"
          aria-label={t('search.label')}
          placeholder={t('search.placeholder')}
          onChange={(event) => setTyped(event.target.value)}
        />
        <button type="submit" className="button primary" aria-label={t('search.submit')}>
          <SearchIcon />
        </button>
      </form>
      <nav className={styles.kinds} aria-label={t('search.kinds')}>
        {SEARCH_KINDS.map((one) => (
          <Link
            key={one}
            to={searchPath(query, one)}
            replace
            aria-current={one === kind ? 'page' : undefined}
          >
            {t(`search.kind.${one}`)}
          </Link>
        ))}
      </nav>
      {query === '' ? <Recent kind={kind} /> : <Results query={query} kind={kind} />}
    </>
  );
}

function Recent({ kind }: { kind: SearchKindName }) {
  const { t } = useText();
  const [recent, setRecent] = useState(recentSearches);
  if (recent.length === 0) {
    return (
      <Empty title={t('search.begin')}>
        <p>{t('search.beginText')}</p>
      </Empty>
    );
  }
  const forget = () => {
    clearRecentSearches();
    setRecent([]);
  };
  return (
    <section className={styles.recent} aria-labelledby="recent-searches">
      <div className={styles.recentHead}>
        <h2 id="recent-searches">{t('search.recent')}</h2>
        <button type="button" className="button small" onClick={forget}>
          {t('search.forget')}
        </button>
      </div>
      <ul>
        {recent.map((search) => (
          <li key={search}>
            <Link to={searchPath(search, kind)}>{search}</Link>
          </li>
        ))}
      </ul>
      <p className={styles.hint}>{t('search.recentHint')}</p>
    </section>
  );
}

function Results({ query, kind }: { query: string; kind: SearchKindName }) {
  const { t } = useText();
  const results = useInfiniteQuery(searchRead(query, kind));
  const found = results.data?.pages.flatMap((page) => page.items) ?? [];
  const none = results.data !== undefined && found.length === 0 && !results.hasNextPage;
  return (
    <>
      <p role="status" className={styles.told}>
        {found.length > 0 ? t('search.results', { query }) : ''}
      </p>
      {results.isPending && <Loading />}
      {hasCode(results.error, 'unauthenticated') ? (
        <Empty title={t('feed.private')}>
          <p>{t('feed.privateText')}</p>
          <Link to={signInPath(searchPath(query, kind))} className="button primary">
            {t('nav.signIn')}
          </Link>
        </Empty>
      ) : (
        !results.data &&
        results.error && <Failed error={results.error} retry={() => void results.refetch()} />
      )}
      {none && (
        <Empty title={t('search.none', { query })}>
          <p>{t('search.noneText')}</p>
        </Empty>
      )}
      {results.data && !none && (
        <>
          <VirtualList rows={found} keyOf={(one) => `${one.kind} ${one.id}`} rowPx={ROW_PX}>
            {(one) => <Found found={one} />}
          </VirtualList>
          <MoreInSight query={results} />
        </>
      )}
    </>
  );
}
