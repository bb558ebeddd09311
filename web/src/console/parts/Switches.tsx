import { Button, Select } from 'antd';
import { switchLanguage } from '../../i18n';
import { setTheme, THEMES, useTheme } from '../../theme/theme';
import { useText } from '../text';

/** Language and colours. */
export function Switches() {
  const { t, language } = useText();
  const theme = useTheme();
  return (
    <span className="switches">
      <Button type="text" onClick={() => void switchLanguage(language === 'zh' ? 'en' : 'zh')}>
        <span lang={language === 'zh' ? 'en' : 'zh-CN'}>{t('language.other')}</span>
        <span className="unseen"> {t('language.switch')}</span>
      </Button>
      <Select
        variant="borderless"
        value={theme}
        aria-label={t('theme.label')}
        onChange={setTheme}
        popupMatchSelectWidth={false}
        options={THEMES.map((name) => ({ value: name, label: t(`theme.${name}`) }))}
      />
    </span>
  );
}
