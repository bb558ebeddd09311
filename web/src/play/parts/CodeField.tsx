import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { CodeSentBody } from '../../api/wire';
import { useText } from '../text';
import { Field } from './Form';
import { ErrorText } from './states';

interface CodeFieldProps {
  name?: string;
  label?: string;
  error: unknown;
  send(): Promise<CodeSentBody>;
}

/** Six digits from a phone, and the button that sends them. In demo mode the server tells the code, and it is shown. */
export function CodeField({ name = 'code', label, error, send }: CodeFieldProps) {
  const { t } = useText();
  const [wait, setWait] = useState(0);
  const sending = useMutation({ mutationFn: send, onSuccess: ({ resend_in_s }) => setWait(resend_in_s) });
  useEffect(() => {
    if (wait <= 0) return;
    const timer = setTimeout(() => setWait(wait - 1), 1000);
    return () => clearTimeout(timer);
  }, [wait]);
  const demo = sending.data?.demo_code;
  return (
    <>
      <Field
        name={name}
        label={label ?? t('code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9]*"
        maxLength={6}
        required
        error={error}
        beside={
          <button
            type="button"
            className="button"
            disabled={wait > 0 || sending.isPending}
            onClick={() => sending.mutate()}
          >
            {wait > 0 ? t('code.again', { count: wait }) : t('code.send')}
          </button>
        }
      />
      <div role="status" aria-live="polite">
        {sending.error && (
          <div className="refused">
            <ErrorText error={sending.error} />
          </div>
        )}
        {sending.data && (
          <p className={demo ? 'demo-code' : 'hint'}>
            {demo ? t('code.demo') : t('code.sent')}
            {demo && <b data-testid="demo-code">{demo}</b>}
          </p>
        )}
      </div>
    </>
  );
}
