import type { PostBody } from '../../api/wire';
import { useText } from '../../play/text';
import styles from './Badges.module.css';

const MARKS = ['pinned', 'featured', 'interesting', 'locked'] as const;

/** What moderators and voters made of a post, and its state where not everybody sees it. */
export function Badges({ post }: { post: PostBody }) {
  const { t } = useText();
  const marks = MARKS.filter((mark) => post[mark]);
  const { state } = post;
  if (marks.length === 0 && state === 'visible') return null;
  return (
    <p className={styles.badges}>
      {state !== 'visible' && (
        <span className={styles.badge} data-kind={state}>
          {t(`post.state.${state}`)}
        </span>
      )}
      {marks.map((mark) => (
        <span key={mark} className={styles.badge} data-kind={mark}>
          {t(`post.${mark}`)}
        </span>
      ))}
    </p>
  );
}
