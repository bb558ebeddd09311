import { useState } from 'react';

const FACES: Record<string, string> = {
  parcel: '🎁',
  coupon: '🎟️',
  code: '🔑',
  points: '✨',
  chances: '🔁',
  text: '💌',
};

/** What stands for a prize: its own picture or emoji, else one for its kind. */
export function faceOf(prize: {
  picture?: string | undefined;
  kind: string;
}): { image: string } | { face: string } {
  const picture = prize.picture ?? '';
  if (/^(https:|\/)/.test(picture)) return { image: picture };
  return { face: picture || (FACES[prize.kind] ?? '🎁') };
}

/** A prize's picture, beside its name: nothing to read out. */
export function Picture({
  prize,
  size,
}: {
  prize: { picture?: string | undefined; kind: string };
  size: number;
}) {
  const [broken, setBroken] = useState(false);
  const face = faceOf(broken ? { kind: prize.kind } : prize);
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
      {face.face}
    </span>
  );
}
