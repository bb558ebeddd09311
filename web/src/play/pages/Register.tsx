import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { api, ask, insist } from '../../api/client';
import { useOnce } from '../../api/once';
import { Mark } from '../parts/art';
import { CodeField } from '../parts/CodeField';
import { ConsentBox, useConsent } from '../parts/Consent';
import { Field, Form } from '../parts/Form';
import { useTitle } from '../parts/useTitle';
import { safeBack, useSession } from '../session';
import { useText } from '../text';
import { leave } from './SignIn';

/** An account with a name and a password, for a phone that is shown to be one's own. */
export default function Register() {
  const { t } = useText();
  const [params] = useSearchParams();
  const { entered } = useSession();
  const navigate = useNavigate();
  const phone = useRef('');
  useTitle(t('register.title'));
  const once = useOnce();
  const consent = useConsent();
  const go = useMutation({
    mutationFn: async ({ phone = '', code = '', name = '', password = '' }: Record<string, string>) => {
      const body = { phone, code, name, password, ...consent.body };
      await once(body, (key) => {
        const header = { 'Idempotency-Key': key };
        return insist((signal) => api.POST('/auth/register', { signal, params: { header }, body }));
      });
      await entered();
    },
    onSuccess: () => leave(safeBack(params.get('back')), navigate),
  });
  return (
    <div className="entrance">
      <Mark size={64} />
      <h1>{t('register.title')}</h1>
      <Form
        submit={t('register.submit')}
        busy={go.isPending}
        error={go.error}
        onSubmit={(values) => consent.ask() && go.mutate(values)}
      >
        <Field
          name="phone"
          label={t('phone')}
          type="tel"
          autoComplete="username"
          error={go.error}
          onChange={(event) => {
            phone.current = event.target.value;
          }}
        />
        <CodeField
          error={go.error}
          send={() =>
            ask((signal) =>
              api.POST('/auth/codes', { signal, body: { phone: phone.current, purpose: 'register' } }),
            )
          }
        />
        <Field name="name" label={t('me.name')} autoComplete="nickname" maxLength={40} error={go.error} />
        <Field
          name="password"
          label={t('password')}
          type="password"
          autoComplete="new-password"
          hint={t('password.hint')}
          error={go.error}
        />
        <ConsentBox {...consent.box} />
      </Form>
      <p className="entrance-ways">
        <Link to="/sign-in">{t('register.have')}</Link>
      </p>
    </div>
  );
}
