import { setMuted, useSound } from '../sound/useSound';
import { useText } from '../text';
import { SoundIcon } from './art';
import styles from './SoundSwitch.module.css';

/** Switches the sounds of the games off and on, in a corner of the stage. */
export function SoundSwitch() {
  const { t } = useText();
  const { muted } = useSound();
  return (
    <button
      type="button"
      className={`icon-button ${styles.corner}`}
      aria-label={t('sound')}
      aria-pressed={!muted}
      onClick={() => setMuted(!muted)}
    >
      <SoundIcon off={muted} />
    </button>
  );
}
