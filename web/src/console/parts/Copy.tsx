import { Button } from 'antd';
import { useState } from 'react';
import { useText } from '../text';

/** Copies a text. Without the clipboard of secure pages, the old way is taken. */
export function Copy({ text, label }: { text: string; label?: string }) {
  const { t } = useText();
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement('textarea');
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
    setDone(true);
    setTimeout(() => setDone(false), 2000);
  };
  return (
    <Button size="small" type={label ? 'default' : 'link'} className="copy" onClick={() => void copy()}>
      <span aria-live="polite">{done ? t('copied') : (label ?? t('copy'))}</span>
    </Button>
  );
}
