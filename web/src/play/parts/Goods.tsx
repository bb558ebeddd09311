import { useState } from 'react';
import { Glyph } from './glyphs';
import { faceOf } from './Picture';

const OURS = '/api/v1/pictures/';

/** Pictures that were uploaded here come in several widths. */
export function sized(picture: string, width: number): string {
  return picture.startsWith(OURS) ? `${picture}?width=${width}` : picture;
}

interface GoodsProps {
  kind: string;
  picture: string | undefined;
  /** In pixels of the device. */
  width: number;
  /** What it shows, where nothing beside it says so. */
  alt?: string;
}

/** What is sold, filling the box it stands in: its picture, its emoji, or ours for its kind. */
export function Goods({ kind, picture, width, alt = '' }: GoodsProps) {
  const [broken, setBroken] = useState(false);
  const face = faceOf(broken ? { kind } : { kind, picture });
  return (
    <span className="goods" data-face={Object.keys(face)[0]}>
      {'image' in face && (
        <img
          src={sized(face.image, width)}
          alt={alt}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setBroken(true)}
        />
      )}
      {'emoji' in face && <span aria-hidden="true">{face.emoji}</span>}
      {'glyph' in face && <Glyph kind={face.glyph} size={96} />}
    </span>
  );
}
