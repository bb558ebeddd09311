// One box for everything that has an id or a name: what it may be is looked up at once, and what is there is listed.

import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { siteKeys } from '../keys';
import { type Lookup, lookups } from '../logic/lookups';
import { Title } from '../parts/bits';
import { Nothing, Read } from '../parts/states';
import { useMay } from '../session/session';
import { useText } from '../text';
import { findAll } from './searchWire';

export default function Search() {
  const { t } = useText();
  const may = useMay();
  const [params] = useSearchParams();
  const text = (params.get('q') ?? '').trim();
  const codes = may('codes');
  const wanted: Lookup[] = lookups(text).filter((one) => one !== 'codePool' || codes);
  const query = useQuery({
    queryKey: siteKeys.search(text, codes),
    queryFn: ({ signal }) => findAll(text, wanted, signal),
    enabled: text !== '',
  });
  return (
    <>
      <Title>{t('search.title', { text })}</Title>
      {text === '' ? (
        <Nothing text={t('search.help')} />
      ) : (
        <Read from={query}>
          {(found) =>
            found.length === 0 ? (
              <Nothing text={t('search.none')} />
            ) : (
              <ul className="attention panel" aria-label={t('search.found')}>
                {found.map((one) => (
                  <li key={`${one.what} ${one.to} ${one.id}`}>
                    <span className="tag">{t(`search.${one.what}`)}</span>
                    <span className="grow">
                      <Link to={one.to}>{one.name}</Link> <span className="soft fine">{one.note}</span>
                    </span>
                    <code className="fine">{one.id}</code>
                  </li>
                ))}
              </ul>
            )
          }
        </Read>
      )}
    </>
  );
}
