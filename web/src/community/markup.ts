// The buttons above the text: each puts Markdown around what is selected, or takes it away again.

export const MARKS = ['bold', 'italic', 'heading', 'quote', 'list', 'code', 'link'] as const;
export type MarkName = (typeof MARKS)[number];

export interface Selected {
  text: string;
  from: number;
  to: number;
}

const AROUND: Partial<Record<MarkName, string>> = { bold: '**', italic: '*', code: '`' };
const BEFORE_LINES: Partial<Record<MarkName, string>> = { heading: '## ', quote: '> ', list: '- ' };
const ADDRESS = 'https://';

export function applyMark(selected: Selected, mark: MarkName): Selected {
  const around = AROUND[mark];
  if (around) return wrap(selected, around);
  const before = BEFORE_LINES[mark];
  if (before) return prefix(selected, before);
  return link(selected);
}

function wrap({ text, from, to }: Selected, mark: string): Selected {
  const inner = text.slice(from, to);
  const size = mark.length;
  if (text.slice(from - size, from) === mark && text.slice(to, to + size) === mark)
    return {
      text: text.slice(0, from - size) + inner + text.slice(to + size),
      from: from - size,
      to: to - size,
    };
  return {
    text: text.slice(0, from) + mark + inner + mark + text.slice(to),
    from: from + size,
    to: to + size,
  };
}

function prefix({ text, from, to }: Selected, mark: string): Selected {
  const begin = text.lastIndexOf('\n', from - 1) + 1;
  const end = text.indexOf('\n', to) < 0 ? text.length : text.indexOf('\n', to);
  const lines = text.slice(begin, end).split('\n');
  const marked = lines.every((line) => line.startsWith(mark));
  const changed = lines.map((line) => (marked ? line.slice(mark.length) : mark + line)).join('\n');
  const first = marked ? -mark.length : mark.length;
  return {
    text: text.slice(0, begin) + changed + text.slice(end),
    from: Math.max(begin, from + first),
    to: to + changed.length - (end - begin),
  };
}

function link({ text, from, to }: Selected): Selected {
  const inner = text.slice(from, to);
  const begin = from + inner.length + 3;
  return {
    text: `${text.slice(0, from)}[${inner}](${ADDRESS})${text.slice(to)}`,
    from: begin,
    to: begin + ADDRESS.length,
  };
}
