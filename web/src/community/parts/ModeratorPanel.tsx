// What moderators see below a post: acts with a reason, and what the post said before.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ask } from '../../api/client';
import type { ModerationAct, PostBody } from '../../api/wire';
import { formatMoment } from '../../i18n';
import { Dialog } from '../../play/parts/Dialog';
import { Field, Form } from '../../play/parts/Form';
import { Failed, Loading } from '../../play/parts/states';
import { useText } from '../../play/text';
import { communityKeys } from '../keys';
import { actsFor } from '../moderation';
import { historyRead } from '../reads';
import styles from './ModeratorPanel.module.css';

const REASON_MAX = 200;

export function ModeratorPanel({ post, mine }: { post: PostBody; mine: boolean }) {
  const { t } = useText();
  const [act, setAct] = useState<ModerationAct>();
  const [open, setOpen] = useState(false);
  const [done, setDone] = useState(false);
  return (
    <section className={styles.panel} aria-labelledby="moderators-title">
      <h2 id="moderators-title">{t('moderate.title')}</h2>
      {/* Nobody judges a post of their own. */}
      {!mine && (
        <div className="buttons">
          {actsFor(post).map((one) => (
            <button key={one} type="button" className="button small" onClick={() => setAct(one)}>
              {t(`moderate.act.${one}`)}
            </button>
          ))}
        </div>
      )}
      <p role="status" className="quiet">
        {done ? t('moderate.done') : ''}
      </p>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t('moderate.versions')}</summary>
        {open && <Versions id={post.id} />}
      </details>
      {act && (
        <ActDialog
          act={act}
          post={post}
          onClose={() => setAct(undefined)}
          onDone={() => {
            setAct(undefined);
            setDone(true);
          }}
        />
      )}
    </section>
  );
}

function Versions({ id }: { id: string }) {
  const { t, language } = useText();
  const { data, error, isPending, refetch } = useQuery(historyRead(id, true));
  if (isPending) return <Loading />;
  if (!data) return <Failed error={error} retry={() => void refetch()} />;
  if (data.versions.length === 0) return <p className="quiet">{t('moderate.unedited')}</p>;
  return (
    <ol>
      {data.versions.map((old) => (
        <li key={old.version} className={styles.old}>
          <small>
            {t('moderate.version', { number: old.version, when: formatMoment(old.until_ms, language) })}
          </small>
          <b>{old.title}</b>
          {old.link && <small>{old.link}</small>}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard */}
          <pre tabIndex={0}>{old.body}</pre>
        </li>
      ))}
    </ol>
  );
}

interface ActProps {
  act: ModerationAct;
  post: PostBody;
  onClose(): void;
  onDone(): void;
}

function ActDialog({ act, post, onClose, onDone }: ActProps) {
  const { t } = useText();
  const client = useQueryClient();
  const judge = useMutation({
    mutationFn: (reason: string) =>
      ask((signal) =>
        api.POST('/admin/posts/{id}/moderate', {
          signal,
          params: { path: { id: post.id } },
          body: { act, reason },
        }),
      ),
    onSuccess: async () => {
      // It may be gone from lists, or have another place in them.
      await client.invalidateQueries({ queryKey: communityKeys.all });
      onDone();
    },
  });
  return (
    <Dialog title={t(`moderate.act.${act}`)} onClose={onClose}>
      <Form
        submit={t(`moderate.act.${act}`)}
        danger={act === 'remove'}
        busy={judge.isPending}
        error={judge.error}
        onSubmit={({ reason = '' }) => judge.mutate(reason)}
      >
        <Field
          name="reason"
          label={t('moderate.reason')}
          hint={t('moderate.reasonHint')}
          maxLength={REASON_MAX}
          required
          error={judge.error}
        />
      </Form>
    </Dialog>
  );
}
