import { useState } from 'react';
import { Glyph } from './glyphs';

/** What a picture is made for: a prize, or the lack of one (`miss`). */
export interface Pictured {
  kind: string;
  picture?: string | undefined;
}

export const MISS: Pictured = { kind: 'miss' };

export type Face = { image: string } | { emoji: string } | { glyph: string };

/** What stands for a prize: its own picture or emoji, else ours for its kind. */
export function faceOf({ kind, picture = '' }: Pictured): Face {
  if (/^(https:|\/)/.test(picture)) return { image: picture };
  return picture ? { emoji: picture } : { glyph: kind };
}

/** A prize's picture, beside its name: nothing to read out. */
export function Picture({ prize, size }: { prize: Pictured; size: number }) {
  const [broken, setBroken] = useState(false);
  const face = faceOf(broken ? { kind: prize.kind } : prize);
  if ('glyph' in face) return <Glyph kind={face.glyph} size={size} />;
  if ('image' in face) {
    return (
      <img
        className="picture"
        src={face.image}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        referrerPolicy="no-referrer"
        onError={() => setBroken(true)}
      />
    );
  }
  return (
    <span className="picture" aria-hidden="true" style={{ fontSize: size * 0.72, width: size, height: size }}>
      {face.emoji}
    </span>
  );
}
