import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import { api, ask, insist } from '../../api/client';
import { useOnce } from '../../api/once';
import { hasCode } from '../../api/problem';
import { Mark } from '../parts/art';
import { CodeField } from '../parts/CodeField';
import { ConsentBox, useConsent } from '../parts/Consent';
import { Field, Form } from '../parts/Form';
import { useTitle } from '../parts/useTitle';
import { safeBack, useSession } from '../session';
import { useText } from '../text';

type Way = 'code' | 'password';

/** Signing in, by a code to the phone or by password. The first code makes the account. */
export default function SignIn() {
  const { t } = useText();
  const [params] = useSearchParams();
  const [way, setWay] = useState<Way>('code');
  const [second, setSecond] = useState(false);
  const [recovery, setRecovery] = useState(false);
  const { me, entered } = useSession();
  const navigate = useNavigate();
  const phone = useRef('');
  const once = useOnce();
  const consent = useConsent();
  useTitle(t('signIn.title'));
  const back = safeBack(params.get('back'));
  const go = useMutation({
    mutationFn: async (values: Record<string, string>) => {
      const second = values.second_code ? { second_code: values.second_code } : {};
      const given = { phone: values.phone ?? '', ...second, ...consent.body };
      await once({ way, ...values }, async (key) => {
        const params = { header: { 'Idempotency-Key': key } };
        await (way === 'code'
          ? insist((signal) =>
              api.POST('/auth/sign-in/code', { signal, params, body: { ...given, code: values.code ?? '' } }),
            )
          : insist((signal) =>
              api.POST('/auth/sign-in/password', {
                signal,
                params,
                body: { ...given, password: values.password ?? '' },
              }),
            ));
      });
      await entered();
    },
    onSuccess: () => leave(back, navigate),
    onError: (failure) => {
      if (hasCode(failure, 'second_factor_needed')) setSecond(true);
    },
  });
  // Not a failure: the first factor was right.
  const needsSecond = hasCode(go.error, 'second_factor_needed');
  if (me && go.isIdle) return <Navigate to={back} replace />;
  const others = params.get('back') ? `?back=${encodeURIComponent(back)}` : '';
  return (
    <div className="entrance">
      <Mark size={64} />
      <h1>{t('signIn.title')}</h1>
      <fieldset className="views">
        <legend className="unseen">{t('signIn.how')}</legend>
        {(['code', 'password'] as const).map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="way"
              checked={one === way}
              onChange={() => {
                setWay(one);
                go.reset();
              }}
            />
            <span>{t(`signIn.${one}`)}</span>
          </label>
        ))}
      </fieldset>
      <Form
        submit={t('signIn.submit')}
        busy={go.isPending}
        error={needsSecond ? undefined : go.error}
        onSubmit={(values) => consent.ask() && go.mutate(values)}
      >
        <Field
          name="phone"
          label={t('phone')}
          type="tel"
          inputMode="tel"
          autoComplete="username"
          required
          error={go.error}
          onChange={(event) => {
            phone.current = event.target.value;
          }}
        />
        {way === 'code' ? (
          <CodeField
            error={go.error}
            send={() =>
              ask((signal) =>
                api.POST('/auth/codes', { signal, body: { phone: phone.current, purpose: 'sign_in' } }),
              )
            }
          />
        ) : (
          <Field
            name="password"
            label={t('password')}
            type="password"
            autoComplete="current-password"
            required
            error={go.error}
          />
        )}
        {second && (
          <>
            <Field
              key={recovery ? 'recovery' : 'digits'}
              name="second_code"
              label={t(recovery ? 'signIn.recovery' : 'signIn.second')}
              {...(recovery
                ? { autoComplete: 'off', autoCapitalize: 'characters', spellCheck: false, maxLength: 24 }
                : { autoComplete: 'one-time-code', inputMode: 'numeric', maxLength: 7 })}
              autoFocus
              required
              error={go.error}
            />
            <button type="button" className="button small" onClick={() => setRecovery(!recovery)}>
              {t(recovery ? 'signIn.useApp' : 'signIn.useRecovery')}
            </button>
          </>
        )}
        <ConsentBox {...consent.box} />
      </Form>
      <p className="entrance-ways">
        <Link to={`/register${others}`}>{t('signIn.register')}</Link>
        <Link to="/reset">{t('signIn.reset')}</Link>
      </p>
      {way === 'code' && <p className="quiet">{t('signIn.first')}</p>}
    </div>
  );
}

/** The console is another page; everything else is ours. */
export function leave(back: string, navigate: (to: string, options: { replace: boolean }) => unknown): void {
  if (/^\/(console|docs)(\/|\?|$)/.test(back)) location.assign(back);
  else void navigate(back, { replace: true });
}
