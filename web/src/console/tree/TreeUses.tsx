import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api, read } from '../../api/client';
import { treeKeys } from '../keys';
import { Nothing, Read } from '../parts/states';
import { useText } from '../text';

/** The activities that ask a tree who may take part: whoever changes it wants to know whom that concerns. */
export function TreeUses({ id }: { id: string }) {
  const { t } = useText();
  const uses = useQuery({
    queryKey: treeKeys.uses(id),
    queryFn: read((signal) => api.GET('/trees/{id}/uses', { params: { path: { id } }, signal })),
  });
  return (
    <section className="panel" aria-label={t('tree.uses')}>
      <h2 className="section-title">{t('tree.uses')}</h2>
      <Read from={uses}>
        {({ items }) =>
          items.length === 0 ? (
            <Nothing text={t('tree.noUses')} />
          ) : (
            <ul>
              {items.map((use) => (
                <li key={`${use.activity} ${use.version}`}>
                  <Link to={`/activities/${use.activity}`}>{use.name || use.activity}</Link>{' '}
                  <span className="soft">
                    {t('act.version', { n: use.version })} ·{' '}
                    {use.live ? t('tree.useLive', { n: use.tree_version ?? '—' }) : t('tree.useDraft')}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Read>
    </section>
  );
}
