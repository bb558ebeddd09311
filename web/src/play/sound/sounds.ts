// The sounds of the games, made here note by note: nothing is fetched for them. A browser that has no WebAudio, or that
// lets no page sound, plays in silence.

/** One tone: which (in hertz), when it begins and how long it takes (in seconds), how loud (0 to 1), and of what shape. */
interface Note {
  hertz: number;
  at: number;
  lasts: number;
  loud: number;
  shape: OscillatorType;
}

const note = (hertz: number, at: number, lasts: number, loud: number, shape: OscillatorType): Note => ({
  hertz,
  at,
  lasts,
  loud,
  shape,
});

/** C5 to C7: what winning is made of. */
const [C5, E5, G5, A5, C6, E6, G6, C7] = [523.25, 659.25, 783.99, 880, 1046.5, 1318.5, 1568, 2093] as const;

const run = (tones: readonly number[], apart: number, lasts: number, loud: number): Note[] =>
  tones.map((hertz, place) => note(hertz, place * apart, lasts, loud, 'triangle'));

const SOUNDS = {
  click: [note(1900, 0, 0.03, 0.16, 'square')],
  press: [note(220, 0, 0.12, 0.25, 'triangle'), note(330, 0.05, 0.14, 0.2, 'triangle')],
  miss: [note(392, 0, 0.16, 0.14, 'sine'), note(311.13, 0.14, 0.26, 0.14, 'sine')],
  consolation: [note(G5, 0, 0.18, 0.12, 'sine'), note(A5, 0.13, 0.24, 0.12, 'sine')],
  small: run([C5, E5, G5], 0.09, 0.26, 0.2),
  rare: [...run([C5, E5, G5, C6, E6], 0.09, 0.34, 0.22), note(C5, 0.45, 0.8, 0.14, 'sine')],
  grand: [
    ...run([G5, G5, G5], 0.13, 0.14, 0.26),
    ...[C5, E5, G5, C6].map((hertz) => note(hertz, 0.42, 1.1, 0.15, 'sawtooth')),
    ...run([C6, E6, G6, C7, G6, C7], 0.11, 0.4, 0.16).map((one) => ({ ...one, at: one.at + 0.9 })),
    ...[C5, G5, C6, E6].map((hertz) => note(hertz, 1.7, 1.6, 0.12, 'triangle')),
  ],
} satisfies Record<string, Note[]>;

export type Sound = keyof typeof SOUNDS;

/** How a phone shakes with it, in milliseconds on and off; most sounds are heard only. */
const SHAKES: Partial<Record<Sound, number[]>> = {
  press: [12],
  small: [30],
  rare: [40, 50, 60],
  grand: [60, 60, 60, 60, 180],
};

/** Full volume is for music players. */
const LOUD = 0.5;

let context: AudioContext | undefined;

/** Plays a sound and shakes the phone where there is anything to do it with. The first call comes from a press. */
export function play(sound: Sound): void {
  const shake = SHAKES[sound];
  // A result that is shown to whoever comes back comes before any press, and browsers shake for presses only.
  if (shake && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(shake);
  if (typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  for (const one of SOUNDS[sound]) strike(context, one);
}

function strike(world: AudioContext, { hertz, at, lasts, loud, shape }: Note): void {
  const begin = world.currentTime + at;
  const tone = new OscillatorNode(world, { type: shape, frequency: hertz });
  const volume = new GainNode(world, { gain: 0 });
  volume.gain.setValueAtTime(0, begin);
  volume.gain.linearRampToValueAtTime(loud * LOUD, begin + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, begin + lasts);
  tone.connect(volume).connect(world.destination);
  tone.start(begin);
  tone.stop(begin + lasts);
}
