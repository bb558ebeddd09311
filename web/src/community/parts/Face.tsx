import { useState } from 'react';
import type { PersonBody } from '../../api/wire';
import styles from './Face.module.css';

const TONES = 7;
const PIXELS = { small: 28, middle: 44, large: 84 };

interface Props {
  /** Nobody: the account is deleted. */
  person?: Pick<PersonBody, 'id' | 'name' | 'avatar'> | null | undefined;
  size?: keyof typeof PIXELS;
}

/** Beside a name, which says who it is. */
export function Face({ person, size = 'middle' }: Props) {
  const [broken, setBroken] = useState(false);
  if (person?.avatar && !broken) {
    return (
      <img
        className={styles.face}
        data-size={size}
        src={person.avatar}
        alt=""
        width={PIXELS[size]}
        height={PIXELS[size]}
        loading="lazy"
        referrerPolicy="no-referrer"
        onError={() => setBroken(true)}
      />
    );
  }
  // By code point, so that a rare character is not cut in half.
  const first = Array.from(person?.name.trim() ?? '')[0] ?? '·';
  return (
    <span
      className={styles.face}
      data-size={size}
      data-tone={person ? toneOf(person.id) : 'none'}
      aria-hidden="true"
    >
      {first.toUpperCase()}
    </span>
  );
}

/** Ids are numbers that rise with time; neighbours should differ. */
function toneOf(id: string): number {
  let sum = 0;
  for (const digit of id) sum = (sum * 31 + digit.charCodeAt(0)) % 997;
  return sum % TONES;
}
