import { useState } from 'react';
import { useText } from '../../play/text';
import { ShareIcon } from './icons';
import marks from './marks.module.css';

const TOLD_MS = 2000;

/** Hands a post on by whatever the device offers, else copies its address. */
export function ShareButton({ title }: { title: string }) {
  const { t } = useText();
  const [copied, setCopied] = useState(false);
  const share = async () => {
    const url = location.href;
    if (navigator.share) {
      // Closed without a choice: nothing to say about it.
      await navigator.share({ title, url }).catch(() => {});
      return;
    }
    try {
      await navigator.clipboard.writeText(url);
    } catch {
      return;
    }
    setCopied(true);
    setTimeout(() => setCopied(false), TOLD_MS);
  };
  return (
    <>
      <button type="button" className={marks.button} onClick={() => void share()}>
        <ShareIcon />
        {copied ? t('post.shared') : t('post.share')}
      </button>
      <span className="unseen" role="status">
        {copied ? t('post.shared') : ''}
      </span>
    </>
  );
}
