// The words of the players' pages: every key that they have, and no other.
import type community from '../community/words/community.en';
import type tasks from '../community/words/tasks.en';
import { type KeyOf, type Say as SayOf, useWords } from '../i18n';
import type shared from '../i18n/words/en';
import type buy from './words/buy.en';
import type first from './words/en';
import type more from './words/more.en';

export type Word = KeyOf<
  typeof shared | typeof first | typeof more | typeof buy | typeof community | typeof tasks
>;
export type Say = SayOf<Word>;
export const useText = useWords<Word>;
