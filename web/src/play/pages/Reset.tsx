import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link } from 'react-router';
import { api, ask } from '../../api/client';
import { Mark, Tick } from '../parts/art';
import { CodeField } from '../parts/CodeField';
import { Field, Form } from '../parts/Form';
import { useTitle } from '../parts/useTitle';
import { useText } from '../text';

/** A new password, for whoever has the phone. All sessions of the account end. */
export default function Reset() {
  const { t } = useText();
  const phone = useRef('');
  useTitle(t('reset.title'));
  const go = useMutation({
    mutationFn: ({ phone = '', code = '', password = '' }: Record<string, string>) =>
      ask((signal) => api.POST('/auth/password/reset', { signal, body: { phone, code, password } })),
  });
  return (
    <div className="entrance">
      <Mark size={64} />
      <h1>{t('reset.title')}</h1>
      {go.isSuccess ? (
        <p role="status" className="verdict good">
          <Tick /> {t('reset.done')}
        </p>
      ) : (
        <Form
          submit={t('reset.submit')}
          busy={go.isPending}
          error={go.error}
          onSubmit={(values) => go.mutate(values)}
        >
          <Field
            name="phone"
            label={t('phone')}
            type="tel"
            autoComplete="username"
            required
            error={go.error}
            onChange={(event) => {
              phone.current = event.target.value;
            }}
          />
          <CodeField
            error={go.error}
            send={() =>
              ask((signal) =>
                api.POST('/auth/codes', {
                  signal,
                  body: { phone: phone.current, purpose: 'reset_password' },
                }),
              )
            }
          />
          <Field
            name="password"
            label={t('security.new')}
            type="password"
            autoComplete="new-password"
            required
            hint={t('password.hint')}
            error={go.error}
          />
        </Form>
      )}
      <p className="entrance-ways">
        <Link to="/sign-in">{t('signIn.title')}</Link>
      </p>
    </div>
  );
}
