/** Colours of charts, told apart by those who see few colours, on both grounds. */
export const COLOURS = [
  '#c2361f',
  '#e0a526',
  '#1d7a5a',
  '#3b6fb5',
  '#8a5bb0',
  '#d07848',
  '#5f8f3e',
  '#b0487e',
  '#6b7d8c',
] as const;

/** The colour of the thing at a place: the same in everything that is drawn of it. */
export function colourOf(place: number): string {
  return COLOURS[place % COLOURS.length] ?? COLOURS[0];
}
