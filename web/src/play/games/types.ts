import type { SlotFace } from './slots';
import type { Phase } from './useMotion';

/** What every game is given. It decides nothing: it shows what was decided. */
export interface GameProps {
  slots: SlotFace[];
  phase: Phase;
  still: boolean;
  onLanded(): void;
  /** Something clicked: an edge passed the pointer, or a reel stopped. */
  onClick(): void;
  onPress(): void;
  canPress: boolean;
  /** Whether this is about drawing at all: signed in, running, and the chances are known. */
  ready: boolean;
  pressLabel: string;
}
