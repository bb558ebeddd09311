// The pictures of what is sold: swiped on a phone, or chosen below.
import { useRef, useState } from 'react';
import type { SaleBody } from '../../api/wire';
import { Goods } from '../parts/Goods';
import { useText } from '../text';
import styles from './Gallery.module.css';

export function Gallery({ sale }: { sale: SaleBody }) {
  const { t } = useText();
  const { name, kind, pictures } = sale.item;
  const [chosen, setChosen] = useState(0);
  const strip = useRef<HTMLUListElement>(null);
  if (pictures.length <= 1) {
    return (
      <div className="gallery">
        <Goods kind={kind} picture={pictures[0]} width={1280} alt={name} />
      </div>
    );
  }
  const show = (at: number) => {
    const to = strip.current?.children[at];
    if (to instanceof HTMLElement) strip.current?.scrollTo({ left: to.offsetLeft, behavior: 'smooth' });
    setChosen(at);
  };
  // Swiped on a phone, pressed with a mouse or the keyboard: both show the same picture.
  const swiped = () => {
    const { scrollLeft = 0, clientWidth = 1 } = strip.current ?? {};
    setChosen(Math.round(scrollLeft / clientWidth));
  };
  return (
    <div className="gallery">
      <ul
        className={styles.strip}
        ref={strip}
        onScroll={swiped}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard too
        tabIndex={0}
        aria-label={name}
        data-testid="gallery"
      >
        {pictures.map((picture, at) => (
          <li key={picture}>
            <Goods kind={kind} picture={picture} width={1280} alt={at === 0 ? name : ''} />
          </li>
        ))}
      </ul>
      <p className="unseen" role="status">
        {t('sale.pictureOf', { number: chosen + 1, of: pictures.length })}
      </p>
      <ul className="thumbs">
        {pictures.map((picture, at) => (
          <li key={picture}>
            <button
              type="button"
              aria-label={t('sale.picture', { number: at + 1 })}
              aria-pressed={at === chosen}
              onClick={() => show(at)}
            >
              <Goods kind={kind} picture={picture} width={320} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
