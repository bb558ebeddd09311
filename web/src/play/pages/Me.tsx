import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, ask } from '../../api/client';
import type { AccountBody } from '../../api/wire';
import { setTheme, THEMES, useTheme } from '../../theme/theme';
import { sessionKeys } from '../keys';
import { Chevron } from '../parts/art';
import { Dialog } from '../parts/Dialog';
import { Field, Form } from '../parts/Form';
import { Refused } from '../parts/states';
import { useTitle } from '../parts/useTitle';
import { useSession } from '../session';
import { useText } from '../text';

/** Me: who I am, and the ways to what is mine. */
export default function Me() {
  const { t } = useText();
  const { me, left } = useSession();
  const [renaming, setRenaming] = useState(false);
  useTitle(t('nav.me'));
  const leave = useMutation({
    mutationFn: () => ask((signal) => api.POST('/auth/sign-out', { signal })),
    onSuccess: left,
  });
  if (!me) return null;
  return (
    <>
      <section className="who">
        <Avatar me={me} />
        <div>
          <h1>{me.name}</h1>
          <p className="quiet">{me.phone ?? me.external_id}</p>
          <p className="quiet">{t('me.since', { day: me.sign_up_day })}</p>
        </div>
        <button type="button" className="button small" onClick={() => setRenaming(true)}>
          {t('edit')}
        </button>
      </section>
      <ul className="links">
        {(
          [
            [`/members/${me.id}`, 'me.posts'],
            ['/me/check-in', 'me.checkIn'],
            ['/me/tasks', 'me.tasks'],
            ['/me/wins', 'nav.wins'],
            ['/me/orders', 'me.orders'],
            ['/me/items', 'me.items'],
            ['/me/points', 'nav.points'],
            ['/me/grants', 'grants.title'],
            ['/me/addresses', 'addresses.title'],
            ['/me/security', 'security.title'],
            ['/me/blocked', 'me.blocked'],
            ['/me/decisions', 'me.decisions'],
          ] as const
        ).map(([to, label]) => (
          <li key={to}>
            <Link to={to}>
              {t(label)}
              <Chevron />
            </Link>
          </li>
        ))}
        {me.roles.some((role) => role !== 'player') && (
          <li>
            <a href="/console">
              {t('me.console')}
              <Chevron />
            </a>
          </li>
        )}
      </ul>
      <ThemeChoice />
      <Refused error={leave.error} />
      <button type="button" className="button wide" onClick={() => leave.mutate()} disabled={leave.isPending}>
        {t('me.signOut')}
      </button>
      {renaming && <Rename me={me} onClose={() => setRenaming(false)} />}
    </>
  );
}

function Avatar({ me }: { me: AccountBody }) {
  // By code point, so that a name that begins with a rare character is not cut in half.
  const first = Array.from(me.name.trim())[0] ?? '?';
  if (me.avatar)
    return (
      <img className="avatar" src={me.avatar} alt="" width={64} height={64} referrerPolicy="no-referrer" />
    );
  return (
    <span className="avatar" aria-hidden="true">
      {first.toUpperCase()}
    </span>
  );
}

function ThemeChoice() {
  const { t } = useText();
  const theme = useTheme();
  return (
    <fieldset className="views themes">
      <legend>{t('theme.label')}</legend>
      {THEMES.map((one) => (
        <label key={one}>
          <input type="radio" name="theme" checked={one === theme} onChange={() => setTheme(one)} />
          <span>{t(`theme.${one}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Rename({ me, onClose }: { me: AccountBody; onClose(): void }) {
  const { t } = useText();
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (values: Record<string, string>) =>
      ask((signal) =>
        api.PATCH('/me', { signal, body: { name: values.name ?? '', avatar: values.avatar ?? '' } }),
      ),
    onSuccess: (account) => {
      client.setQueryData(sessionKeys.me, account);
      onClose();
    },
  });
  return (
    <Dialog title={t('me.edit')} onClose={onClose}>
      <Form
        submit={t('save')}
        busy={save.isPending}
        error={save.error}
        onSubmit={(values) => save.mutate(values)}
      >
        <Field
          name="name"
          label={t('me.name')}
          defaultValue={me.name}
          maxLength={40}
          error={save.error}
          autoComplete="nickname"
        />
        <Field
          name="avatar"
          label={t('me.avatar')}
          defaultValue={me.avatar}
          hint={t('me.avatarHint')}
          type="url"
          error={save.error}
        />
      </Form>
    </Dialog>
  );
}
