// What moderators removed of mine, why, and the appeal that I have against it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { api, ask } from '../../api/client';
import type { DecisionBody } from '../../api/wire';
import { formatMoment } from '../../i18n';
import { Dialog } from '../../play/parts/Dialog';
import { Head } from '../../play/parts/Head';
import { Empty, Failed, Loading, Refused } from '../../play/parts/states';
import { useText } from '../../play/text';
import { communityKeys } from '../keys';
import { decisionsRead } from '../reads';
import styles from './Decisions.module.css';

const APPEAL_MAX = 1_000;

export default function Decisions() {
  const { t } = useText();
  const query = useQuery(decisionsRead);
  return (
    <>
      <Head title={t('decisions.title')} back="/me" />
      {query.isPending && <Loading />}
      {query.error && !query.data && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data?.items.length === 0 && <Empty title={t('decisions.empty')} />}
      <ul className={styles.list}>
        {query.data?.items.map((decision) => (
          <Decision key={decision.id} decision={decision} />
        ))}
      </ul>
    </>
  );
}

function Decision({ decision }: { decision: DecisionBody }) {
  const { t, language } = useText();
  const [asking, setAsking] = useState(false);
  const { appeal } = decision;
  return (
    <li className={styles.decision}>
      <b>
        {t(`decisions.removed.${decision.on}`)}{' '}
        {decision.on === 'post' ? (
          <Link to={`/posts/${decision.subject}`}>{decision.excerpt}</Link>
        ) : (
          decision.excerpt
        )}
      </b>
      <small>{formatMoment(decision.decided_at_ms, language)}</small>
      <p>{t('decisions.reason', { reason: decision.reason })}</p>
      {appeal && (
        <>
          <p>{t('decisions.appealed', { text: appeal.text })}</p>
          <p role="status">
            <b>{t(`decisions.state.${appeal.state}`)}</b>
            {appeal.answer && ` ${t('decisions.answer', { text: appeal.answer })}`}
          </p>
        </>
      )}
      {!appeal && decision.over_at_ms !== undefined && <p>{t('decisions.over')}</p>}
      {!appeal && decision.over_at_ms === undefined && (
        <div className="buttons">
          <button type="button" className="button small" onClick={() => setAsking(true)}>
            {t('decisions.appeal')}
          </button>
        </div>
      )}
      {asking && <AppealDialog decision={decision} onClose={() => setAsking(false)} />}
    </li>
  );
}

function AppealDialog({ decision, onClose }: { decision: DecisionBody; onClose(): void }) {
  const { t } = useText();
  const client = useQueryClient();
  const [text, setText] = useState('');
  const appeal = useMutation({
    mutationFn: () =>
      ask((signal) =>
        api.POST('/me/decisions/{id}/appeal', {
          signal,
          params: { path: { id: decision.id } },
          body: { text },
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: communityKeys.decisions });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '' && !appeal.isPending) appeal.mutate();
  };
  return (
    <Dialog title={t('decisions.appeal')} onClose={onClose}>
      <form onSubmit={submit} className={styles.form}>
        <p className="quiet">{t('decisions.once')}</p>
        <label>
          {t('decisions.why')}
          <textarea
            rows={4}
            required
            maxLength={APPEAL_MAX}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <Refused error={appeal.error} />
        <div className="buttons">
          <button type="submit" className="button" disabled={text.trim() === '' || appeal.isPending}>
            {appeal.isPending ? t('wait') : t('decisions.send')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
