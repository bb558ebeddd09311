import type { MentionBody } from '../api/wire';

/** A piece of a text; with a person when it is their name. */
export interface TextPart {
  text: string;
  person?: string;
}

/** Where a name may begin and end, as the server reads it: letters, digits, `_` and `-`, and no word before the `@`. */
const NAME = /(?<![A-Za-z0-9@])@([\p{Alphabetic}\p{N}_-]+)/gu;

/** Cuts a text where people are named. The server says which names mean somebody. */
export function splitMentions(text: string, mentions: readonly MentionBody[]): TextPart[] {
  if (mentions.length === 0) return [{ text }];
  const parts: TextPart[] = [];
  let done = 0;
  for (const found of text.matchAll(NAME)) {
    const name = found[1]?.toLowerCase();
    const person = mentions.find((mention) => mention.name === name)?.id;
    if (person === undefined) continue;
    if (found.index > done) parts.push({ text: text.slice(done, found.index) });
    parts.push({ text: found[0], person });
    done = found.index + found[0].length;
  }
  if (done < text.length) parts.push({ text: text.slice(done) });
  return parts;
}
