import { Link } from 'react-router';
import type { FoundBody, TextPartBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { Chevron } from '../../play/parts/art';
import { Picture } from '../../play/parts/Picture';
import { shownName } from '../../play/people';
import { useText } from '../../play/text';
import { foundPath, partsOf } from '../found';
import { Age, Level } from './Byline';
import { Face } from './Face';
import styles from './Found.module.css';

/** A text with what matched in it. Every part is text: nothing that somebody wrote becomes an element. */
function Marked({ parts }: { parts: TextPartBody[] }) {
  return parts.map((part, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no names and never move
    part.match ? <mark key={at}>{part.text}</mark> : part.text,
  );
}

/** Something that was found, with the way to it. */
export function Found({ found }: { found: FoundBody }) {
  const { language } = useText();
  const text = partsOf(found.text, found.text_en, language);
  return (
    <Link to={foundPath(found)} className={styles.row}>
      {found.kind === 'person' && <Face person={found.person} />}
      {(found.kind === 'sale' || found.kind === 'offer') && (
        <span className={styles.picture}>
          <Picture prize={{ kind: 'parcel', picture: found.picture ?? undefined }} size={44} />
        </span>
      )}
      <span className={styles.words}>
        <span className={styles.title}>
          <Marked parts={partsOf(found.title, found.title_en, language)} />
          {found.kind === 'person' && found.person && <Level level={found.person.level} />}
        </span>
        {text.length > 0 && (
          <span className={styles.text}>
            <Marked parts={text} />
          </span>
        )}
        <About found={found} />
      </span>
      {found.kind !== 'post' && <Chevron />}
    </Link>
  );
}

/** Whether it can be played, in one word. What is not published is never found. */
function Standing({ state }: { state: FoundBody['state'] }) {
  const { t } = useText();
  switch (state) {
    case 'approved':
    case 'running':
    case 'paused':
    case 'closed':
    case 'reopened':
      return <small>{t(`search.state.${state}`)}</small>;
    default:
      return null;
  }
}

/** Whose it is, whether it is on, or what it costs. */
function About({ found }: { found: FoundBody }) {
  const { t, language } = useText();
  switch (found.kind) {
    case 'post':
      return (
        <small>
          {found.person ? shownName(found.person.name, t) : t('person.nobody')}
          {found.published_at_ms && (
            <>
              {' · '}
              <Age at={found.published_at_ms} />
            </>
          )}
        </small>
      );
    case 'activity':
    case 'sale':
      return <Standing state={found.state} />;
    case 'offer': {
      const points = found.points ?? 0;
      return <small>{t('shop.price', { count: points, number: formatNumber(points, language) })}</small>;
    }
    case 'person':
      return null;
  }
}
