// Our own drawings, as SVG. Decoration: a screen reader does not hear of them.
import type { ReactNode } from 'react';

function Art({ size, className, children, box = '0 0 24 24' }: ArtProps) {
  return (
    <svg viewBox={box} width={size} height={size} className={className} aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

interface ArtProps {
  size: number;
  box?: string;
  className?: string | undefined;
  children: ReactNode;
}

const line = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.8,
  strokeLinecap: 'round' as const,
  strokeLinejoin: 'round' as const,
};

/** The mark: a ripe fruit in the wind. */
export function Mark({ size = 32 }: { size?: number }) {
  return (
    <Art size={size} box="0 0 32 32">
      <g fill="none" strokeLinecap="round" strokeLinejoin="round">
        <path
          d="M2.2 14.6c2.6-.5 4.6-.3 6.4-.4M3.9 19.4c1.5-.3 2.7-.2 4-.3M6.2 24.3c1-.2 1.9-.1 2.9-.2"
          stroke="#3f9b78"
          strokeWidth="1.9"
        />
        <path
          d="M20.3 12.6c-2.3-1.7-8.7-.8-8.8 6.4-.1 5.4 3.6 9.6 6.3 9.6 1.1 0 1.5-.5 2.4-.5s1.4.5 2.5.5c2.8 0 6.3-4.2 6.2-9.5-.1-7.2-6.4-8.1-8.6-6.5z"
          fill="#e5793a"
        />
        <path d="M14.7 18.6c.2-1.9 1.3-3.1 2.9-3.4" stroke="#fff" strokeOpacity=".75" strokeWidth="1.7" />
        <path d="M20.2 13c-.1-2.1-.6-3.7-1.7-5.2" stroke="#7a4a2a" strokeWidth="1.9" />
        <path d="M20.3 9.9c.4-3.9 3.1-6.3 7.3-6.5-.1 4.1-2.9 6.8-7.3 6.5z" fill="#3f9b78" />
      </g>
    </Art>
  );
}

export const HomeIcon = () => (
  <Art size={24}>
    <path {...line} d="M4 11.2 12 4.5l8 6.7M6.2 9.8V19h11.6V9.8M10 19v-4.6h4V19" />
  </Art>
);
export const TalkIcon = () => (
  <Art size={24}>
    <path
      {...line}
      d="M4.5 6.8c0-1 .8-1.8 1.8-1.8h8.4c1 0 1.8.8 1.8 1.8v5.4c0 1-.8 1.8-1.8 1.8H9.6L6.4 16.8V14h-.1c-1 0-1.8-.8-1.8-1.8zM19.5 9.4v6.2c0 1-.8 1.8-1.8 1.8h-.1v2.6l-3-2.6h-3.2"
    />
  </Art>
);
export const GiftIcon = () => (
  <Art size={24}>
    <path
      {...line}
      d="M4.5 8.5h15v4h-15zM6 12.5V20h12v-7.5M12 8.5V20M12 8.5C9 8.5 7.6 7.4 8 5.8c.5-1.9 3.4-1.2 4 2.7.6-3.9 3.5-4.6 4-2.7.4 1.6-1 2.7-4 2.7z"
    />
  </Art>
);
export const CoinIcon = () => (
  <Art size={24}>
    <path
      {...line}
      d="M12 4.2a7.8 7.8 0 1 0 0 15.6 7.8 7.8 0 0 0 0-15.6zM12 8l1.2 2.7 2.9.3-2.2 1.9.7 2.9L12 14.3l-2.6 1.5.7-2.9L7.9 11l2.9-.3z"
    />
  </Art>
);
export const PersonIcon = () => (
  <Art size={24}>
    <path
      {...line}
      d="M12 12.2a3.9 3.9 0 1 0 0-7.8 3.9 3.9 0 0 0 0 7.8zM4.8 20c.7-3.7 3.5-5.4 7.2-5.4s6.5 1.7 7.2 5.4"
    />
  </Art>
);
export const CartIcon = () => (
  <Art size={24}>
    <path {...line} d="M3.5 5h2.3l2.1 9.6h9.3l1.9-6.9H6.6M9.3 18.6v.1M16 18.6v.1" />
  </Art>
);
export const SoundIcon = ({ off }: { off: boolean }) => (
  <Art size={22}>
    <path {...line} d="M4.5 9.5v5h3.2l4.8 4v-13l-4.8 4z" />
    <path
      {...line}
      d={off ? 'm16 9.5 5 5m0-5-5 5' : 'M15.8 9a4.2 4.2 0 0 1 0 6M18.2 6.6a7.6 7.6 0 0 1 0 10.8'}
    />
  </Art>
);
export const Tick = () => (
  <Art size={20}>
    <path {...line} strokeWidth={2.4} d="m5.5 12.5 4.2 4.2 8.8-9.4" />
  </Art>
);
export const Cross = () => (
  <Art size={20}>
    <path {...line} strokeWidth={2.2} d="m6.5 6.5 11 11m0-11-11 11" />
  </Art>
);
export const Hourglass = () => (
  <Art size={20}>
    <path {...line} d="M7 4h10M7 20h10M8 4c0 5 8 6 8 8s-8 3-8 8m8-16c0 5-8 6-8 8" />
  </Art>
);
export const Chevron = () => (
  <Art size={18} className="chevron">
    <path {...line} d="m9.5 6 6 6-6 6" />
  </Art>
);
export const Back = () => (
  <Art size={22}>
    <path {...line} strokeWidth={2} d="m14.5 5.5-6.5 6.5 6.5 6.5" />
  </Art>
);
export const Shield = () => (
  <Art size={22}>
    <path
      {...line}
      d="M12 3.8 5 6.3v5.2c0 4.4 2.9 7.4 7 8.9 4.1-1.5 7-4.5 7-8.9V6.3zM8.8 12l2.3 2.3 4.2-4.5"
    />
  </Art>
);

/** A small star that turns while one waits. */
export const Spark = () => (
  <Art size={28} className="spark">
    <path
      fill="currentColor"
      d="M12 2.5c.9 5.6 3 7.9 9.5 9.5-6.5 1.6-8.6 3.9-9.5 9.5-.9-5.6-3-7.9-9.5-9.5 6.5-1.6 8.6-3.9 9.5-9.5z"
    />
  </Art>
);

/** An auspicious cloud, where there is nothing to show. */
export function Cloud() {
  return (
    <Art size={96} box="0 0 96 96" className="cloud">
      <path
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinecap="round"
        d="M14 62h58c9 0 14-6 13-13-1-6-6-10-12-9 1-11-8-19-18-18-8 1-14 6-16 13-8-2-15 3-15 10 0 5 4 9 9 9 4 0 7-3 7-7 0-3-2-5-5-5M44 44c0-6 4-10 9-10s9 4 8 9c-1 4-6 5-8 2M26 72h44M40 80h26"
      />
    </Art>
  );
}
