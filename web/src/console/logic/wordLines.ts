/** One word a line, without blanks around them, empty lines and repetitions. */
export function wordLines(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
}
