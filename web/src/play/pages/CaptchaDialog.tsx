import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
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

/** A picture to read, or a question in words. Each is good for one answer: after a wrong one there is another. */
export function CaptchaDialog({ sale, about, busy, error, onClose, onAnswer }: CaptchaDialogProps) {
  const { t } = useText();
  const {
    mutate,
    data,
    error: failed,
    isPending,
  } = useMutation({
    mutationFn: (words: boolean) =>
      ask((signal) =>
        api.POST('/sales/{id}/captcha', { signal, params: { path: { id: sale } }, body: { words } }),
      ),
  });
  /** Whether a question in words is asked, for those who cannot see a picture. */
  const [words, setWords] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new one after every answer that was not taken
  useEffect(() => mutate(words), [mutate, error, words]);
  const box = useRef<HTMLDivElement>(null);
  const challenge = data?.challenge;
  useEffect(() => {
    if (challenge) box.current?.querySelector('input')?.focus();
  }, [challenge]);
  // The server says to ask for another picture, and that has been done.
  const again = hasCode(error, 'captcha_wrong')
    ? t('captcha.wrong')
    : hasCode(error, 'captcha_expired', 'captcha_spent')
      ? t('captcha.late')
      : undefined;
  return (
    <Dialog title={t(words ? 'captcha.titleWords' : 'captcha.title')} onClose={onClose}>
      <Form
        submit={t('captcha.submit')}
        busy={busy || !data}
        error={again ? undefined : error}
        onSubmit={({ answer = '' }) => data && onAnswer({ challenge: data.challenge, answer: answer.trim() })}
      >
        {about && <b>{about}</b>}
        <p className="quiet">{t('captcha.text')}</p>
        <div className="captcha">
          {data?.question ? (
            <p className="captcha-words" id="captcha-question">
              {data.question}
            </p>
          ) : data?.svg ? (
            <img
              src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(data.svg)}`}
              alt={t('captcha.alt')}
              width={220}
              height={80}
            />
          ) : (
            <span className="captcha-none" />
          )}
          <button type="button" className="button small" disabled={isPending} onClick={() => mutate(words)}>
            {t(words ? 'captcha.otherWords' : 'captcha.other')}
          </button>
          <button type="button" className="plain" disabled={isPending} onClick={() => setWords(!words)}>
            {t(words ? 'captcha.picture' : 'captcha.words')}
          </button>
        </div>
        <Refused error={failed} />
        {again && (
          <p className="refused" role="alert">
            {again}
          </p>
        )}
        <div ref={box}>
          <Field
            key={data?.challenge ?? ''}
            name="answer"
            label={t(words ? 'captcha.labelWords' : 'captcha.label')}
            {...(words && { 'aria-describedby': 'captcha-question' })}
            inputMode={words ? 'numeric' : 'text'}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={12}
            required
          />
        </div>
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
