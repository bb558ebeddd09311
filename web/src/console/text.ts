// The words of the console: every key that it has, and no other.
import { type KeyOf, type Say as SayOf, useWords } from '../i18n';
import type shared from '../i18n/words/en';
import type own from './words/console.en';

export type Word = KeyOf<typeof shared | typeof own>;
export type Say = SayOf<Word>;
export const useText = useWords<Word>;
