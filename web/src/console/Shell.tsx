import { App as AntApp, ConfigProvider, theme } from 'antd';
import enUS from 'antd/locale/en_US';
import zhCN from 'antd/locale/zh_CN';
import { useDark } from '../theme/theme';
import { Addresses } from './routes';
import { useText } from './text';
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
        token: { ...SHARED, ...(dark ? DARK : LIGHT) },
        components: {
          Layout: { siderBg: 'transparent', headerBg: 'transparent' },
          Menu: {
            itemBg: 'transparent',
            itemHeight: 32,
            itemMarginBlock: 2,
            groupTitleFontSize: 12,
            ...(dark ? { itemSelectedBg: '#3d2018', itemSelectedColor: '#ffb098' } : {}),
          },
          Button: dark ? { primaryColor: INK, dangerColor: INK } : {},
          Tooltip: { colorTextLightSolid: '#fff' },
          Form: { itemMarginBottom: 14 },
        },
      }}
    >
      <AntApp>
        <Addresses />
      </AntApp>
    </ConfigProvider>
  );
}

/** On light red, in the dark. */
const INK = '#2b0d05';
const SHARED = { borderRadius: 8, fontFamily: 'var(--sans)' };
// Descriptions and placeholders are darker than antd's: they are read, too.
const LIGHT = {
  colorPrimary: '#b8321c',
  colorLink: '#a52c18',
  colorBgLayout: '#fbf6ee',
  colorError: '#b3261a',
  colorTextDescription: '#6a5648',
  colorTextTertiary: '#6a5648',
  colorTextPlaceholder: '#746558',
  colorInfo: '#2b6777',
  colorInfoBg: '#e6f1f3',
  colorInfoBorder: '#b5d3d9',
  colorErrorBg: '#fbe6e2',
  colorErrorBorder: '#eab4ab',
};
const DARK = {
  colorPrimary: '#ff8e6e',
  colorLink: '#ff9d7f',
  colorBgBase: '#17110f',
  colorError: '#ff8d7d',
  colorTextDescription: '#c2afa0',
  colorTextTertiary: '#c2afa0',
  colorTextPlaceholder: '#a8978a',
  colorBgContainer: '#231b18',
  colorBgElevated: '#2b221e',
  colorBgLayout: '#17110f',
  colorBorder: '#5f4b40',
  colorBorderSecondary: '#3b2e28',
  colorInfo: '#7fc4d6',
  colorTextLightSolid: INK,
};
