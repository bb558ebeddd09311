import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { PersonBody } from '../../api/wire';
import { formatMoment } from '../../i18n';
import { shownName } from '../../play/people';
import { useText } from '../../play/text';
import { serverNow } from '../../time/clock';
import { ageText } from '../age';
import styles from './Byline.module.css';
import { Face } from './Face';

export function Level({ level }: { level: number }) {
  const { t } = useText();
  return (
    <span className={styles.level} role="img" aria-label={t('level.label', { number: level })}>
      {t('level', { number: level })}
    </span>
  );
}

/** A moment as people say it; the exact one is in its title. */
export function Age({ at }: { at: number }) {
  const { language } = useText();
  return (
    <time dateTime={new Date(at).toISOString()} title={formatMoment(at, language)}>
      {ageText(at, serverNow(), language)}
    </time>
  );
}

interface Props {
  author: PersonBody | null | undefined;
  publishedAt: number;
  editedAt?: number | null | undefined;
  /** On two lines, for a post's own page. */
  tall?: boolean;
  /** Something at the end. */
  children?: ReactNode;
}

/** Who wrote something, and when. */
export function Byline({ author, publishedAt, editedAt, tall = false, children }: Props) {
  const { t, language } = useText();
  return (
    <div className={tall ? `${styles.byline} ${styles.tall}` : styles.byline}>
      <Face person={author} size={tall ? 'middle' : 'small'} />
      <span className={styles.words}>
        {author ? (
          <>
            <Link to={`/members/${author.id}`} className={styles.name}>
              {shownName(author.name, t)}
            </Link>
            <Level level={author.level} />
          </>
        ) : (
          <span className={`${styles.name} ${styles.nobody}`}>{t('person.nobody')}</span>
        )}
        <span className={styles.when}>
          <Age at={publishedAt} />
          {editedAt && (
            <span title={t('post.editedAt', { when: formatMoment(editedAt, language) })}>
              {' · '}
              {t('post.edited')}
            </span>
          )}
        </span>
      </span>
      {children}
    </div>
  );
}
