// Sessions, password, phone, and leaving for good.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, ask } from '../../api/client';
import { formatShort } from '../../i18n';
import { sessionKeys } from '../keys';
import { CodeField } from '../parts/CodeField';
import { Dialog } from '../parts/Dialog';
import { Field, Form } from '../parts/Form';
import { Head } from '../parts/Head';
import { Failed, Loading, Refused } from '../parts/states';
import { sessionsRead } from '../reads';
import { useSession } from '../session';
import { useText } from '../text';

type Open = 'password' | 'phone' | 'delete';

export default function Security() {
  const { t } = useText();
  const { me } = useSession();
  const [open, setOpen] = useState<Open>();
  const [done, setDone] = useState<Open>();
  const close = () => setOpen(undefined);
  const finish = (what: Open) => {
    setDone(what);
    close();
  };
  if (!me) return null;
  return (
    <>
      <Head title={t('security.title')} back="/me" />
      <p role="status" className="entry-told">
        {done ? t(`security.${done}Done`) : ''}
      </p>
      <ul className="links">
        {me.has_password && (
          <li>
            <button type="button" onClick={() => setOpen('password')}>
              {t('security.password')}
            </button>
          </li>
        )}
        {me.phone && (
          <li>
            <button type="button" onClick={() => setOpen('phone')}>
              {t('security.phone')}
            </button>
          </li>
        )}
        <li>
          <button type="button" className="warn" onClick={() => setOpen('delete')}>
            {t('security.delete')}
          </button>
        </li>
      </ul>
      <Sessions />
      {open === 'password' && <Password onClose={close} onDone={() => finish('password')} />}
      {open === 'phone' && <Phone onClose={close} onDone={() => finish('phone')} />}
      {open === 'delete' && <Delete onClose={close} />}
    </>
  );
}

function Sessions() {
  const { t, language } = useText();
  const client = useQueryClient();
  const { left } = useSession();
  const { data, error, isPending, refetch } = useQuery(sessionsRead);
  const end = useMutation({
    mutationFn: (id: string) =>
      ask((signal) => api.DELETE('/me/sessions/{id}', { signal, params: { path: { id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionsRead.queryKey }),
  });
  const everywhere = useMutation({
    mutationFn: () => ask((signal) => api.POST('/auth/sign-out-everywhere', { signal })),
    onSuccess: left,
  });
  return (
    <section className="section">
      <h2>{t('sessions.title')}</h2>
      {isPending && <Loading />}
      {!data && error && <Failed error={error} retry={() => void refetch()} />}
      <ul className="stack">
        {data?.items.map((session) => (
          <li key={session.id} className="card">
            <p>
              <b title={session.agent}>{deviceOf(session.agent) || t('sessions.unknown')}</b>{' '}
              {session.current && <em className="badge">{t('sessions.this')}</em>}
            </p>
            <p className="quiet">
              {t('sessions.seen', { when: formatShort(session.seen_ms, language), address: session.address })}
            </p>
            {!session.current && (
              <button type="button" className="button small" onClick={() => end.mutate(session.id)}>
                {t('sessions.end')}
              </button>
            )}
          </li>
        ))}
      </ul>
      <Refused error={end.error ?? everywhere.error} />
      <button type="button" className="button wide" onClick={() => everywhere.mutate()}>
        {t('sessions.everywhere')}
      </button>
    </section>
  );
}

/** Good enough to tell one's own devices apart; the whole description is in the title. */
function deviceOf(agent: string): string {
  const first = (pairs: Array<[RegExp, string]>) => pairs.find(([pattern]) => pattern.test(agent))?.[1];
  const browser = first([
    [/MicroMessenger/, 'WeChat'],
    [/Edg/, 'Edge'],
    [/OPR/, 'Opera'],
    [/Firefox/, 'Firefox'],
    [/Chrome/, 'Chrome'],
    [/Safari/, 'Safari'],
  ]);
  const system = first([
    [/iPhone/, 'iPhone'],
    [/iPad/, 'iPad'],
    [/Android/, 'Android'],
    [/Windows/, 'Windows'],
    [/Mac OS/, 'macOS'],
    [/Linux/, 'Linux'],
  ]);
  return [browser, system].filter(Boolean).join(' · ') || agent.slice(0, 40);
}

interface Closable {
  onClose(): void;
  onDone(): void;
}

function Password({ onClose, onDone }: Closable) {
  const { t } = useText();
  const change = useMutation({
    mutationFn: (values: Record<string, string>) =>
      ask((signal) =>
        api.POST('/me/password', {
          signal,
          body: { old_password: values.old_password ?? '', new_password: values.new_password ?? '' },
        }),
      ),
    onSuccess: onDone,
  });
  return (
    <Dialog title={t('security.password')} onClose={onClose}>
      <Form
        submit={t('save')}
        busy={change.isPending}
        error={change.error}
        onSubmit={(values) => change.mutate(values)}
      >
        <Field
          name="old_password"
          type="password"
          label={t('security.old')}
          autoComplete="current-password"
          error={change.error}
        />
        <Field
          name="new_password"
          type="password"
          label={t('security.new')}
          autoComplete="new-password"
          hint={t('password.hint')}
          error={change.error}
        />
      </Form>
    </Dialog>
  );
}

function Phone({ onClose, onDone }: Closable) {
  const { t } = useText();
  const client = useQueryClient();
  const phone = useRef('');
  const change = useMutation({
    mutationFn: ({ old_code = '', new_phone = '', new_code = '' }: Record<string, string>) =>
      ask((signal) => api.POST('/me/phone', { signal, body: { old_code, new_phone, new_code } })),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: sessionKeys.me });
      onDone();
    },
  });
  const send = (new_phone?: string) => () =>
    ask((signal) =>
      api.POST('/me/codes', { signal, body: new_phone === undefined ? {} : { new_phone: phone.current } }),
    );
  return (
    <Dialog title={t('security.phone')} onClose={onClose}>
      <Form
        submit={t('save')}
        busy={change.isPending}
        error={change.error}
        onSubmit={(values) => change.mutate(values)}
      >
        <CodeField name="old_code" label={t('security.oldCode')} error={change.error} send={send()} />
        <Field
          name="new_phone"
          type="tel"
          label={t('security.newPhone')}
          autoComplete="tel"
          error={change.error}
          onChange={(event) => {
            phone.current = event.target.value;
          }}
        />
        <CodeField name="new_code" label={t('security.newCode')} error={change.error} send={send('new')} />
      </Form>
    </Dialog>
  );
}

function Delete({ onClose }: { onClose(): void }) {
  const { t } = useText();
  const { me, left } = useSession();
  const go = useMutation({
    mutationFn: ({ code }: Record<string, string>) =>
      ask((signal) => api.POST('/me/delete', { signal, body: code ? { code } : {} })),
    onSuccess: left,
  });
  if (!me?.phone) {
    return (
      <Dialog title={t('security.delete')} onClose={onClose}>
        <p>{t('security.deleteElsewhere')}</p>
      </Dialog>
    );
  }
  return (
    <Dialog title={t('security.delete')} onClose={onClose}>
      <p>{t('security.deleteText')}</p>
      <Form
        submit={t('security.deleteSure')}
        danger
        busy={go.isPending}
        error={go.error}
        onSubmit={(values) => go.mutate(values)}
      >
        <CodeField
          error={go.error}
          send={() => ask((signal) => api.POST('/me/codes', { signal, body: {} }))}
        />
      </Form>
    </Dialog>
  );
}
