import { api, ask } from '../../api/client';
import { Problem } from '../../api/problem';
import { factKindValues } from '../../api/schema.gen';
import type { FactsBody } from '../../api/wire';
import { userKeys } from '../keys';
import { factOf, showFact } from '../logic/facts';
import { Act } from '../parts/Act';
import { Actor, When } from '../parts/bits';
import { PlainTable } from '../parts/PlainTable';
import { Nothing } from '../parts/states';
import { useMay } from '../session/session';
import { useText } from '../text';

/** What rule trees read about somebody. */
export function UserFacts({ id, facts }: { id: string; facts: FactsBody['facts'] }) {
  const { t } = useText();
  const may = useMay();
  const names = Object.keys(facts).sort();
  const refresh = [userKeys.one(id)];
  const params = { path: { id } };
  return (
    <>
      {may('changePeople') && (
        <div className="gap-bottom">
          <Act
            label={t('facts.set')}
            says={t('facts.setSays')}
            refresh={refresh}
            done={t('saved')}
            fields={[
              { name: 'name', label: t('col.name'), max: 64, help: t('facts.nameHelp') },
              {
                name: 'kind',
                label: t('col.kind'),
                kind: 'select',
                initial: 'text',
                options: factKindValues.map((kind) => ({
                  value: kind,
                  label: t(`fact.${kind}`),
                })),
              },
              { name: 'value', label: t('facts.value'), help: t('facts.valueHelp') },
            ]}
            run={(values) => {
              const value = factOf(values.kind, values.value);
              if (value === undefined) {
                throw new Problem({
                  title: t('facts.unfit'),
                  status: 400,
                  code: 'invalid_field',
                  field: 'value',
                  request_id: null,
                });
              }
              return ask((signal) =>
                api.PATCH('/admin/users/{id}/facts', {
                  params,
                  body: { [values.name]: value },
                  signal,
                }),
              );
            }}
          />
        </div>
      )}
      {names.length === 0 ? (
        <Nothing text={t('facts.none')} />
      ) : (
        <PlainTable heads={[t('col.name'), t('facts.value'), t('col.by'), t('col.at'), t('col.acts')]}>
          {names.map((name) => {
            const fact = facts[name];
            if (!fact) return null;
            return (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td>{showFact(fact.value)}</td>
                <td>
                  <Actor actor={fact.set_by} />
                </td>
                <td>
                  <When ms={fact.set_at_ms} />
                </td>
                <td>
                  {may('changePeople') && (
                    <Act
                      link
                      danger
                      label={t('facts.remove')}
                      says={t('facts.removeSays', { name })}
                      refresh={refresh}
                      done={t('saved')}
                      run={() =>
                        ask((signal) =>
                          api.PATCH('/admin/users/{id}/facts', {
                            params,
                            body: { [name]: null },
                            signal,
                          }),
                        )
                      }
                    />
                  )}
                </td>
              </tr>
            );
          })}
        </PlainTable>
      )}
    </>
  );
}
