import { Fragment } from 'react';
import { Link } from 'react-router';
import type { MentionBody } from '../../api/wire';
import { splitMentions } from '../mentions';

/** A plain text in which the names of people lead to them. */
export function NamedText({ text, mentions }: { text: string; mentions: readonly MentionBody[] }) {
  let at = 0;
  return splitMentions(text, mentions).map((part) => {
    const key = at;
    at += part.text.length;
    return part.person ? (
      <Link key={key} to={`/members/${part.person}`}>
        {part.text}
      </Link>
    ) : (
      <Fragment key={key}>{part.text}</Fragment>
    );
  });
}
