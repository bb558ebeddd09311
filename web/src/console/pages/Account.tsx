// One's own second factor: set up with an authenticator app, shown to work, taken away.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Alert, Button, Form, Input } from 'antd';
import { useState } from 'react';
import { api, ask } from '../../api/client';
import { accountKeys } from '../keys';
import { Act } from '../parts/Act';
import { Title } from '../parts/bits';
import { Copy } from '../parts/Copy';
import { save } from '../parts/csv';
import { useSecondFactor } from '../parts/SecondFactorBanner';
import { Secret } from '../parts/Secret';
import { Read, Trouble } from '../parts/states';
import { useText } from '../text';

/** So few recovery codes left that it is time for new ones. */
const FEW_LEFT = 3;

export default function Account() {
  const { t } = useText();
  const state = useSecondFactor();
  // Here and not below: the state is read again meanwhile, and the codes are shown only once.
  const [codes, setCodes] = useState<string[]>();
  return (
    <>
      <Title>{t('nav.account')}</Title>
      <section className="panel">
        <h2 className="section-title">{t('second.title')}</h2>
        <p className="soft">{t('second.help')}</p>
        {codes ? (
          <Recovery codes={codes} kept={() => setCodes(undefined)} />
        ) : (
          <Read from={state}>
            {({ on, recovery_left }) => (on ? <On left={recovery_left} /> : <Off confirmed={setCodes} />)}
          </Read>
        )}
      </section>
    </>
  );
}

function On({ left }: { left: number }) {
  const { t } = useText();
  return (
    <>
      <Alert
        type={left > FEW_LEFT ? 'success' : 'warning'}
        showIcon
        title={t('second.on', { n: left })}
        {...(left > FEW_LEFT ? {} : { description: t('second.fewLeft') })}
        className="gap-bottom"
      />
      <Act
        danger
        label={t('second.remove')}
        says={t('second.removeSays')}
        refresh={[accountKeys.secondFactor, accountKeys.me]}
        done={t('saved')}
        fields={[{ name: 'code', label: t('second.code'), kind: 'second' }]}
        run={(values) =>
          ask((signal) => api.POST('/me/second-factor/remove', { body: { code: values.code }, signal }))
        }
      />
    </>
  );
}

/** The recovery codes, once: to be copied, or kept as a file. */
function Recovery({ codes, kept }: { codes: string[]; kept: () => void }) {
  const { t } = useText();
  const text = codes.join('\n');
  return (
    <>
      <h3>{t('second.recovery')}</h3>
      <p>{t('second.recoveryHelp')}</p>
      <Secret secret={text} says={t('second.once')}>
        <Button size="small" onClick={() => save('windfall-recovery-codes.txt', `${text}\n`, 'text/plain')}>
          {t('second.save')}
        </Button>
      </Secret>
      <Button type="primary" onClick={kept}>
        {t('second.kept')}
      </Button>
    </>
  );
}

/** Setting up: the picture, then digits of the app; then the recovery codes are there. */
function Off({ confirmed }: { confirmed: (codes: string[]) => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const begin = useMutation({
    mutationFn: () => ask((signal) => api.POST('/me/second-factor', { signal })),
  });
  const confirm = useMutation({
    mutationFn: (code: string) =>
      ask((signal) => api.POST('/me/second-factor/confirm', { body: { code }, signal })),
    onSuccess: ({ recovery_codes }) => {
      confirmed(recovery_codes);
      void client.invalidateQueries({ queryKey: accountKeys.me });
      void client.invalidateQueries({ queryKey: accountKeys.secondFactor });
    },
  });
  const enrolment = begin.data;
  if (!enrolment) {
    return (
      <>
        <Alert type="warning" showIcon title={t('second.off')} className="gap-bottom" />
        {begin.error && <Trouble error={begin.error} />}
        <Button type="primary" loading={begin.isPending} onClick={() => begin.mutate()}>
          {t('second.begin')}
        </Button>
      </>
    );
  }
  const side = enrolment.qr_size + 8;
  return (
    <>
      <p>{t('second.scan')}</p>
      <svg
        viewBox={`-4 -4 ${side} ${side}`}
        width={220}
        height={220}
        role="img"
        aria-label={t('second.picture')}
        shapeRendering="crispEdges"
      >
        <rect x={-4} y={-4} width={side} height={side} fill="#fff" />
        <path d={enrolment.qr_path} fill="#000" />
      </svg>
      <p>
        {t('second.type')} <code data-testid="totp-secret">{inFours(enrolment.secret)}</code>{' '}
        <Copy text={enrolment.secret} />
      </p>
      <Form layout="vertical" onFinish={({ code }: { code: string }) => confirm.mutate(code)}>
        <Form.Item
          name="code"
          label={t('second.digits')}
          rules={[
            { required: true, message: t('needed') },
            { pattern: /^ *\d{3} ?\d{3} *$/, message: t('second.sixDigits') },
          ]}
        >
          <Input inputMode="numeric" autoComplete="one-time-code" maxLength={7} className="six-digits" />
        </Form.Item>
        {confirm.error && <Trouble error={confirm.error} />}
        <Button type="primary" htmlType="submit" loading={confirm.isPending} className="gap-top">
          {t('second.confirm')}
        </Button>
      </Form>
    </>
  );
}

/** As a key is read out and typed. */
function inFours(text: string): string {
  return (text.match(/.{1,4}/g) ?? []).join(' ');
}
