import { App as AntApp, ConfigProvider, theme } from 'antd';
import enUS from 'antd/locale/en_US';
import zhCN from 'antd/locale/zh_CN';
import { RouterProvider } from 'react-router/dom';
import { useText } from '../i18n';
import { useDark } from '../theme/theme';
import { router } from './routes';
import './console.css';

/** What every page of the console stands in: words, colours, addresses. */
export default function Shell() {
  const { language } = useText();
  const dark = useDark();
  return (
    <ConfigProvider
      locale={language === 'zh' ? zhCN : enUS}
      button={{ autoInsertSpace: false }}
      theme={{
        algorithm: dark ? theme.darkAlgorithm : theme.defaultAlgorithm,
        token: dark
          ? {
              ...SHARED,
              colorPrimary: '#e8694c',
              colorLink: '#ff9d7f',
              colorBgBase: '#17110f',
              colorError: '#e5584a',
            }
          : {
              ...SHARED,
              colorPrimary: '#b8321c',
              colorLink: '#a52c18',
              colorBgLayout: '#fbf6ee',
              colorError: '#b3261a',
            },
        components: {
          Layout: { siderBg: 'transparent', headerBg: 'transparent' },
          Menu: { itemBg: 'transparent', itemHeight: 32, itemMarginBlock: 2, groupTitleFontSize: 12 },
          Form: { itemMarginBottom: 14 },
        },
      }}
    >
      <AntApp>
        <RouterProvider router={router} />
      </AntApp>
    </ConfigProvider>
  );
}

const SHARED = { borderRadius: 8, fontFamily: 'var(--sans)' };
