import type { GameProps } from './types';

type PressProps = Pick<GameProps, 'onPress' | 'canPress' | 'ready' | 'pressLabel'> & {
  className: string;
  style?: React.CSSProperties;
};

/**
 * The button of a game. While a draw is under way it does nothing, but it stays what it is: a button that is switched off
 * loses the focus, and whoever plays by keyboard would begin at the top of the page again after each draw.
 */
export function Press({ onPress, canPress, ready, pressLabel, ...looks }: PressProps) {
  return (
    <button
      type="button"
      {...looks}
      disabled={!ready}
      aria-disabled={!canPress}
      onClick={() => canPress && onPress()}
    >
      {pressLabel}
    </button>
  );
}
