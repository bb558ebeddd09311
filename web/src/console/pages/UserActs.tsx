import { useQuery } from '@tanstack/react-query';
import { api, ask, insist, read } from '../../api/client';
import type { SupportBody } from '../../api/wire';
import { activityKeys, approvalKeys, userKeys } from '../keys';
import { Act, reasonField, toldReason } from '../parts/Act';
import { ROLES } from '../session/roles';
import { useMay, useMe } from '../session/session';
import { useText } from '../text';

/** What staff may do about a person. */
export function UserActs({ support }: { support: SupportBody }) {
  const { t } = useText();
  const may = useMay();
  const me = useMe();
  const { account } = support;
  const { id } = account;
  const params = { path: { id } };
  const refresh = [userKeys.one(id), userKeys.lists];
  if (account.deleted) return null;
  return (
    <>
      {may('runActivities') && <Grant id={id} />}
      {may('changePeople') && (
        <>
          <Act
            label={t('user.setRoles')}
            says={t('user.setRolesSays')}
            refresh={[...refresh, approvalKeys.all]}
            done={t('user.rolesAsked')}
            fields={[
              {
                name: 'roles',
                label: t('user.roles'),
                kind: 'many',
                optional: true,
                initial: account.roles.filter((role) => role !== 'player'),
                options: ROLES.map((role) => ({ value: role, label: t(`role.${role}`) })),
              },
              reasonField(t),
            ]}
            run={(values, once) =>
              insist((signal) =>
                api.POST('/admin/users/{id}/roles', {
                  params: { ...params, header: { 'Idempotency-Key': once } },
                  body: {
                    roles: values.roles,
                    reason: values.reason,
                  },
                  signal,
                }),
              )
            }
          />
          {account.second_factor && (
            <Act
              label={t('second.reset')}
              says={t('second.resetSays')}
              refresh={[...refresh, approvalKeys.all]}
              done={t('user.rolesAsked')}
              fields={[reasonField(t)]}
              run={(values, once) =>
                insist((signal) =>
                  api.POST('/admin/users/{id}/second-factor/reset', {
                    params: { ...params, header: { 'Idempotency-Key': once } },
                    body: { reason: values.reason },
                    signal,
                  }),
                )
              }
            />
          )}
          <Act
            label={t('user.signOut')}
            says={t('user.signOutSays')}
            refresh={refresh}
            done={t('saved')}
            run={() => ask((signal) => api.POST('/admin/users/{id}/sign-out', { params, signal }))}
          />
          {account.ban ? (
            <Act
              label={t('user.unban')}
              says={t('user.unbanSays')}
              refresh={refresh}
              done={t('saved')}
              run={() => ask((signal) => api.DELETE('/admin/users/{id}/ban', { params, signal }))}
            />
          ) : (
            me.id !== id && (
              <Act
                danger
                label={t('user.ban')}
                says={t('user.banSays')}
                refresh={refresh}
                done={t('user.banned')}
                fields={[
                  {
                    name: 'until',
                    label: t('user.until'),
                    kind: 'moment',
                    optional: true,
                    help: t('user.untilHelp'),
                  },
                  toldReason(t),
                ]}
                run={(values) => {
                  const until = values.until ?? null;
                  const body = {
                    reason: values.reason,
                    ...(until === null ? {} : { until_ms: until }),
                  };
                  return ask((signal) => api.PUT('/admin/users/{id}/ban', { params, body, signal }));
                }}
              />
            )
          )}
        </>
      )}
    </>
  );
}

/** More chances by hand, once per request. */
function Grant({ id }: { id: string }) {
  const { t } = useText();
  const running = useQuery({
    queryKey: activityKeys.choice('running'),
    queryFn: read((signal) =>
      api.GET('/activities', { params: { query: { state: 'running', limit: 200 } }, signal }),
    ),
  });
  return (
    <Act
      label={t('user.grant')}
      says={t('user.grantSays')}
      fields={[
        {
          name: 'activity',
          label: t('ful.activity'),
          kind: 'select',
          options: (running.data?.items ?? []).map((one) => ({ value: one.id, label: one.name })),
        },
        { name: 'chances', label: t('kind.chances'), kind: 'number', min: 1, initial: 1 },
        reasonField(t),
      ]}
      run={(values, once) =>
        insist((signal) =>
          api.POST('/activities/{id}/grants', {
            params: { path: { id: values.activity } },
            body: {
              user: id,
              rule: 'support',
              period: once,
              chances: values.chances,
              reason: values.reason,
            },
            signal,
          }),
        )
      }
      refresh={[userKeys.one(id)]}
      done={t('user.granted')}
    />
  );
}
