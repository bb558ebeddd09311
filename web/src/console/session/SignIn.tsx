import { Alert, Button, Card, Form, Input, Segmented } from 'antd';
import { useState } from 'react';
import { api, ask } from '../../api/client';
import { useOnce } from '../../api/once';
import { hasCode } from '../../api/problem';
import { SecondCode } from '../parts/SecondCode';
import { Switches } from '../parts/Switches';
import { Trouble } from '../parts/states';
import { useText } from '../text';

type Way = 'password' | 'code';
interface Given {
  phone: string;
  password?: string;
  code?: string;
  second_code?: string;
}

/** Signing in by password or by a code to the phone, without leaving the address one came for. */
export function SignIn({ entered }: { entered: () => void }) {
  const { t } = useText();
  const [form] = Form.useForm<Given>();
  const once = useOnce();
  const [way, setWay] = useState<Way>('password');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [second, setSecond] = useState(false);
  const [sent, setSent] = useState<{ demo: string | undefined }>();

  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (failure) {
      // Not a failure: the first factor was right.
      if (hasCode(failure, 'second_factor_needed')) setSecond(true);
      else setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const send = async () => {
    const { phone } = await form.validateFields(['phone']);
    await attempt(async () => {
      const body = { phone, purpose: 'sign_in' as const };
      const answer = await ask((signal) => api.POST('/auth/codes', { body, signal }));
      setSent({ demo: answer.demo_code ?? undefined });
      if (answer.demo_code) form.setFieldValue('code', answer.demo_code);
    });
  };
  const enter = (given: Given) =>
    attempt(async () => {
      const { phone, password = '', code = '' } = given;
      const more = given.second_code ? { second_code: given.second_code } : {};
      await once({ way, ...given }, async (key) => {
        const params = { header: { 'Idempotency-Key': key } };
        if (way === 'password') {
          await ask((signal) =>
            api.POST('/auth/sign-in/password', { params, body: { phone, password, ...more }, signal }),
          );
        } else {
          await ask((signal) =>
            api.POST('/auth/sign-in/code', { params, body: { phone, code, ...more }, signal }),
          );
        }
      });
      entered();
    });

  return (
    <main className="alone">
      <Card className="sign-in">
        <div className="row-between">
          <h1 className="page-title">{t('console.title')}</h1>
          <Switches />
        </div>
        <p className="soft">{t('gate.signInText')}</p>
        <Segmented<Way>
          block
          value={way}
          aria-label={t('gate.way')}
          onChange={setWay}
          options={[
            { value: 'password', label: t('gate.byPassword') },
            { value: 'code', label: t('gate.byCode') },
          ]}
        />
        <Form<Given> form={form} layout="vertical" requiredMark={false} onFinish={enter} className="gap-top">
          <Form.Item name="phone" label={t('gate.phone')} rules={[{ required: true, message: t('needed') }]}>
            <Input type="tel" autoComplete="username" inputMode="tel" size="large" />
          </Form.Item>
          {way === 'password' ? (
            <Form.Item
              name="password"
              label={t('gate.password')}
              rules={[{ required: true, message: t('needed') }]}
            >
              <Input.Password autoComplete="current-password" size="large" />
            </Form.Item>
          ) : (
            <>
              <Form.Item
                name="code"
                label={t('gate.code')}
                rules={[{ required: true, message: t('needed') }]}
              >
                <Input inputMode="numeric" autoComplete="one-time-code" size="large" maxLength={6} />
              </Form.Item>
              <Button onClick={() => void send()} disabled={busy} className="gap-bottom">
                {t('gate.send')}
              </Button>
              {sent && (
                <Alert
                  className="gap-bottom"
                  type="info"
                  title={sent.demo ? t('gate.demoCode', { code: sent.demo }) : t('gate.sent')}
                />
              )}
            </>
          )}
          {second && <Alert className="gap-bottom" type="info" title={t('second.asked')} />}
          {second && (
            <Form.Item
              name="second_code"
              label={t('second.code')}
              rules={[{ required: true, message: t('needed') }]}
            >
              <SecondCode large autoFocus />
            </Form.Item>
          )}
          {error !== undefined && <Trouble error={error} />}
          <Button type="primary" htmlType="submit" size="large" block loading={busy} className="gap-top">
            {t('gate.enter')}
          </Button>
        </Form>
      </Card>
    </main>
  );
}
