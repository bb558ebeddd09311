import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, ask } from '../../api/client';
import { hasCode } from '../../api/problem';
import type { CaptchaAnswer } from '../../api/wire';
import { Dialog } from '../parts/Dialog';
import { Field, Form } from '../parts/Form';
import { Refused } from '../parts/states';
import { useText } from '../text';

interface CaptchaDialogProps {
  sale: string;
  /** What it is for, where there are several. */
  about?: string;
  busy: boolean;
  /** Why the last answer was not taken. */
  error: unknown;
  onClose(): void;
  onAnswer(captcha: CaptchaAnswer): void;
}

/** A picture to read. Each is good for one answer: after a wrong one there is another. */
export function CaptchaDialog({ sale, about, busy, error, onClose, onAnswer }: CaptchaDialogProps) {
  const { t } = useText();
  const {
    mutate,
    data,
    error: failed,
    isPending,
  } = useMutation({
    mutationFn: () =>
      ask((signal) => api.POST('/sales/{id}/captcha', { signal, params: { path: { id: sale } } })),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new picture after every answer that was not taken
  useEffect(() => mutate(), [mutate, error]);
  // The server says to ask for another picture, and that has been done.
  const again = hasCode(error, 'captcha_wrong')
    ? t('captcha.wrong')
    : hasCode(error, 'captcha_expired', 'captcha_spent')
      ? t('captcha.late')
      : undefined;
  return (
    <Dialog title={t('captcha.title')} onClose={onClose}>
      <Form
        submit={t('captcha.submit')}
        busy={busy || !data}
        error={again ? undefined : error}
        onSubmit={({ answer = '' }) => data && onAnswer({ challenge: data.challenge, answer: answer.trim() })}
      >
        {about && <b>{about}</b>}
        <p className="quiet">{t('captcha.text')}</p>
        <div className="captcha">
          {data ? (
            <img
              src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(data.svg)}`}
              alt={t('captcha.alt')}
              width={220}
              height={80}
            />
          ) : (
            <span className="captcha-none" />
          )}
          <button type="button" className="button small" disabled={isPending} onClick={() => mutate()}>
            {t('captcha.other')}
          </button>
        </div>
        <Refused error={failed} />
        {again && (
          <p className="refused" role="alert">
            {again}
          </p>
        )}
        <Field
          key={data?.challenge ?? ''}
          name="answer"
          label={t('captcha.label')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={12}
          required
        />
        {data?.answer != null && (
          <p className="demo-code">
            {t('captcha.demo')}
            <b data-testid="captcha-answer">{data.answer}</b>
          </p>
        )}
      </Form>
    </Dialog>
  );
}
