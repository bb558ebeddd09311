import { type KeyboardEvent, useId, useLayoutEffect, useRef } from 'react';
import { useFieldProblem } from '../../play/parts/Form';
import { useText } from '../../play/text';
import { applyMark, MARKS, type MarkName } from '../markup';
import styles from './BodyField.module.css';
import { LinkIcon } from './icons';
import { Used } from './Used';

const FACES: Record<Exclude<MarkName, 'link'>, string> = {
  bold: 'B',
  italic: 'I',
  heading: 'H',
  quote: '❝',
  list: '•',
  code: '</>',
};
const SHORTCUTS: Record<string, MarkName> = { b: 'bold', i: 'italic', k: 'link' };

interface Props {
  value: string;
  max: number;
  error: unknown;
  onChange(value: string): void;
}

/** A post's text, with the buttons that put Markdown around what is selected. */
export function BodyField({ value, max, error, onChange }: Props) {
  const { t } = useText();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const next = useRef<[number, number]>(undefined);
  const wrong = useFieldProblem('body', error);
  // The selection moves with what was put around it.
  useLayoutEffect(() => {
    if (!next.current) return;
    area.current?.setSelectionRange(...next.current);
    next.current = undefined;
  });
  const mark = (name: MarkName) => {
    if (!area.current) return;
    const { selectionStart, selectionEnd } = area.current;
    const { text, from, to } = applyMark({ text: value, from: selectionStart, to: selectionEnd }, name);
    next.current = [from, to];
    area.current.focus();
    onChange(text);
  };
  const press = (event: KeyboardEvent) => {
    const name = event.ctrlKey || event.metaKey ? SHORTCUTS[event.key.toLowerCase()] : undefined;
    if (!name) return;
    event.preventDefault();
    mark(name);
  };
  return (
    <div className={styles.field}>
      <div className={styles.label}>
        <label htmlFor={id}>{t('write.body')}</label>
        <Used text={value} max={max} />
      </div>
      <div className={styles.box} data-wrong={wrong !== undefined}>
        <div className={styles.marks} role="toolbar" aria-label={t('write.marks')} aria-controls={id}>
          {MARKS.map((name) => (
            <button
              key={name}
              type="button"
              data-mark={name}
              aria-label={t(`mark.${name}`)}
              title={t(`mark.${name}`)}
              onClick={() => mark(name)}
            >
              {name === 'link' ? <LinkIcon /> : FACES[name]}
            </button>
          ))}
        </div>
        <textarea
          id={id}
          ref={area}
          name="body"
          className={styles.text}
          required
          value={value}
          placeholder={t('write.bodyHint')}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={wrong ? `${id}-wrong` : undefined}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={press}
        />
      </div>
      {wrong && (
        <p className="wrong" id={`${id}-wrong`} role="alert">
          {wrong}
        </p>
      )}
    </div>
  );
}
