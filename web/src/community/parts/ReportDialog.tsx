import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, ask } from '../../api/client';
import { reportReasonValues } from '../../api/schema.gen';
import type { ReportReason, ReportSubject } from '../../api/wire';
import { Dialog } from '../../play/parts/Dialog';
import { Refused } from '../../play/parts/states';
import { useText } from '../../play/text';
import styles from './ReportDialog.module.css';

const TEXT_MAX = 500;

interface Props {
  on: ReportSubject;
  /** Of a message, who wrote it. */
  id: string;
  /** Of a message, its number. */
  n?: number;
  onClose(): void;
}

/** Brings something before the moderators: a reason, and words where they help. */
export function ReportDialog({ on, id, n, onClose }: Props) {
  const { t } = useText();
  const [reason, setReason] = useState<ReportReason>();
  const [text, setText] = useState('');
  const report = useMutation({
    mutationFn: (why: ReportReason) =>
      ask((signal) =>
        api.POST('/reports', { signal, body: { on, id, ...(n !== undefined && { n }), reason: why, text } }),
      ),
  });
  const isComplete = reason !== undefined && (reason !== 'other' || text.trim() !== '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete && !report.isPending) report.mutate(reason);
  };
  if (report.isSuccess)
    return (
      <Dialog title={t('report.done')} onClose={onClose}>
        <p role="status">{t('report.doneText')}</p>
        <div className="buttons">
          <button type="button" className="button" onClick={onClose}>
            {t('report.close')}
          </button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title={t(`report.title.${on}`)} onClose={onClose}>
      <form onSubmit={submit} className={styles.form}>
        {on === 'message' && <p className="quiet">{t('report.disclosed')}</p>}
        <fieldset className={styles.reasons}>
          <legend>{t('report.why')}</legend>
          {reportReasonValues.map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="reason"
                value={one}
                checked={reason === one}
                onChange={() => setReason(one)}
              />
              {t(`report.reason.${one}`)}
            </label>
          ))}
        </fieldset>
        <textarea
          name="text"
          rows={3}
          maxLength={TEXT_MAX}
          aria-label={t('report.text')}
          placeholder={t('report.text')}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Refused error={report.error} />
        <div className="buttons">
          <button type="submit" className="button primary" disabled={!isComplete || report.isPending}>
            {report.isPending ? t('wait') : t('report.send')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
