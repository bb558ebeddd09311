import { Button, Select } from 'antd';
import { switchLanguage, useText } from '../../i18n';
import { setTheme, THEMES, useTheme } from '../../theme/theme';

/** Language and colours. */
export function Switches() {
  const { t, language } = useText();
  const theme = useTheme();
  return (
    <span className="switches">
      <Button
        type="text"
        lang={language === 'zh' ? 'en' : 'zh-CN'}
        aria-label={t('language.switch')}
        onClick={() => void switchLanguage(language === 'zh' ? 'en' : 'zh')}
      >
        {t('language.other')}
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
