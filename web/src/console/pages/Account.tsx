// One's own second factor: set up with an authenticator app, shown to work, taken away.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Alert, Button, Form, Input } from 'antd';
import { useState } from 'react';
import { api, ask } from '../../api/client';
import { useText } from '../../i18n';
import { Act, asText } from '../parts/Act';
import { Title } from '../parts/bits';
import { Secret } from '../parts/Secret';
import { Read, Trouble } from '../parts/states';

const KEY = ['second-factor'];

export default function Account() {
  const { t } = useText();
  const state = useQuery({
    queryKey: KEY,
    queryFn: () => ask((signal) => api.GET('/me/second-factor', { signal })),
  });
  return (
    <>
      <Title>{t('nav.account')}</Title>
      <section className="panel">
        <h2>{t('second.title')}</h2>
        <p className="soft">{t('second.help')}</p>
        <Read from={state}>{({ on, recovery_left }) => (on ? <On left={recovery_left} /> : <Off />)}</Read>
      </section>
    </>
  );
}

function On({ left }: { left: number }) {
  const { t } = useText();
  return (
    <>
      <Alert type="success" showIcon title={t('second.on', { n: left })} className="gap-bottom" />
      <Act
        danger
        label={t('second.remove')}
        says={t('second.removeSays')}
        refresh={[KEY, ['me']]}
        done={t('saved')}
        fields={[{ name: 'code', label: t('second.code'), help: t('second.codeHelp') }]}
        run={(values) =>
          ask((signal) =>
            api.POST('/me/second-factor/remove', { body: { code: asText(values.code) }, signal }),
          )
        }
      />
    </>
  );
}

/** Setting up: the picture, then digits of the app, then the recovery codes, once. */
function Off() {
  const { t } = useText();
  const client = useQueryClient();
  const [codes, setCodes] = useState<string[]>();
  const begin = useMutation({
    mutationFn: () => ask((signal) => api.POST('/me/second-factor', { signal })),
  });
  const confirm = useMutation({
    mutationFn: (code: string) =>
      ask((signal) => api.POST('/me/second-factor/confirm', { body: { code }, signal })),
    onSuccess: ({ recovery_codes }) => {
      setCodes(recovery_codes);
      void client.invalidateQueries({ queryKey: ['me'] });
    },
  });
  if (codes) {
    return (
      <>
        <h3>{t('second.recovery')}</h3>
        <p>{t('second.recoveryHelp')}</p>
        <Secret secret={codes.join('\n')} />
        <Button type="primary" onClick={() => void client.invalidateQueries({ queryKey: KEY })}>
          {t('second.kept')}
        </Button>
      </>
    );
  }
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
        {t('second.type')} <code data-testid="totp-secret">{enrolment.secret}</code>
      </p>
      <Form layout="vertical" onFinish={({ code }: { code: string }) => confirm.mutate(code)}>
        <Form.Item name="code" label={t('second.digits')} rules={[{ required: true, message: t('needed') }]}>
          <Input inputMode="numeric" autoComplete="one-time-code" maxLength={7} />
        </Form.Item>
        {confirm.error && <Trouble error={confirm.error} />}
        <Button type="primary" htmlType="submit" loading={confirm.isPending}>
          {t('second.confirm')}
        </Button>
      </Form>
    </>
  );
}
