// The picture of a prize: uploaded, or an address or an emoji.
import { Button, Input } from 'antd';
import { useRef, useState } from 'react';
import { Trouble } from '../../parts/states';
import { useText } from '../../text';
import { PICTURE_TYPES, uploadPicture } from '../picture';
import styles from './PrizePicture.module.css';

interface Props {
  id?: string;
  value: string;
  change: (picture: string) => void;
}

export function PrizePicture({ id, value, change }: Props) {
  const { t } = useText();
  const chooser = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const upload = async (file: File | undefined) => {
    if (!file) return;
    setBusy(true);
    setError(undefined);
    try {
      const { src } = await uploadPicture(file);
      change(src);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <div className="row">
        {/^(https?:|\/)/.test(value) && (
          <img className={styles.picture} src={value} alt="" referrerPolicy="no-referrer" />
        )}
        <Input
          className="search"
          value={value}
          placeholder="🎁"
          onChange={(event) => change(event.target.value)}
          {...(id ? { id } : {})}
        />
        <input
          ref={chooser}
          type="file"
          accept={PICTURE_TYPES}
          className="unseen"
          tabIndex={-1}
          aria-label={t('prize.upload')}
          data-testid="prize-picture-file"
          onChange={(event) => {
            void upload(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
        <Button loading={busy} onClick={() => chooser.current?.click()}>
          {t('prize.upload')}
        </Button>
      </div>
      {error !== undefined && <Trouble error={error} />}
    </>
  );
}
