import { useState } from 'react';
import { useText } from '../text';

/** A text and a button that copies it, also where the browser has no clipboard for pages without TLS. */
export function Copy({ text, label }: { text: string; label: string }) {
  const { t } = useText();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    setCopied((await byClipboard(text)) || bySelection(text));
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <span className="copy">
      <code>{text}</code>
      <button type="button" className="button small" onClick={() => void copy()} aria-label={label}>
        {copied ? t('copied') : t('copy')}
      </button>
      <span className="unseen" role="status">
        {copied ? t('copied') : ''}
      </span>
    </span>
  );
}

async function byClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function bySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'unseen';
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  return done;
}
