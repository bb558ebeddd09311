import { Button, Card, ConfigProvider, Layout, Typography, theme } from 'antd';
import enUS from 'antd/locale/en_US';
import zhCN from 'antd/locale/zh_CN';
import { useText } from '../i18n';
import { useDark } from '../theme/theme';

/** What every page of the console stands in. For now it only says where to sign in. */
export default function Shell() {
  const { t, language } = useText();
  const dark = useDark();
  return (
    <ConfigProvider
      locale={language === 'zh' ? zhCN : enUS}
      theme={{
        algorithm: dark ? theme.darkAlgorithm : theme.defaultAlgorithm,
        token: { colorPrimary: '#c2361f', borderRadius: 8 },
      }}
    >
      <Layout style={{ minHeight: '100vh', alignItems: 'center', justifyContent: 'center' }}>
        <Card style={{ maxWidth: 420, margin: 16 }}>
          <Typography.Title level={1} style={{ fontSize: 24 }}>
            {t('console.title')}
          </Typography.Title>
          <Typography.Paragraph>{t('console.signInText')}</Typography.Paragraph>
          <Button type="primary" href="/sign-in?back=%2Fconsole">
            {t('console.signIn')}
          </Button>
        </Card>
      </Layout>
    </ConfigProvider>
  );
}
