import { Button, Result } from 'antd';
import { useText } from '../text';
import { signOut } from './signOut';

/** Signed in, and nobody here. */
export function NoRole({ name }: { name: string }) {
  const { t } = useText();
  return (
    <main className="alone">
      <Result
        icon={null}
        title={<h1 className="page-title">{t('gate.noRole')}</h1>}
        subTitle={t('gate.noRoleText', { name })}
        extra={[
          <Button key="out" onClick={() => void signOut()}>
            {t('gate.otherAccount')}
          </Button>,
          <Button key="play" href="/">
            {t('gate.toPlayers')}
          </Button>,
        ]}
      />
    </main>
  );
}
