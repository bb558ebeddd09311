import { type FormEvent, useState } from 'react';
import { Refused } from '../../play/parts/states';
import { useText } from '../../play/text';
import { charactersIn } from '../draftProblem';
import { useMakeComment } from '../useComments';
import styles from './CommentForm.module.css';
import { Used } from './Used';

const TEXT_MAX = 1_000;

interface Props {
  person: string;
  post: string;
  /** The comment that is replied to. */
  replyTo?: { id: string; name: string };
  onDone?: () => void;
  onCancel?: () => void;
}

export function CommentForm({ person, post, replyTo, onDone, onCancel }: Props) {
  const { t } = useText();
  const [text, setText] = useState('');
  const make = useMakeComment(person, post, replyTo?.id);
  const label = replyTo ? t('comments.reply', { name: replyTo.name }) : t('comments.write');
  const used = charactersIn(text);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (make.isPending || used === 0 || used > TEXT_MAX) return;
    make.mutate(text, {
      onSuccess: () => {
        setText('');
        onDone?.();
      },
    });
  };
  return (
    <form className={styles.form} onSubmit={send}>
      <textarea
        name="text"
        aria-label={label}
        placeholder={label}
        value={text}
        // biome-ignore lint/a11y/noAutofocus: it was opened to be written into
        autoFocus={replyTo !== undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <Refused error={make.error} />
      <div className={styles.row}>
        <Used text={text} max={TEXT_MAX} />
        {onCancel && (
          <button type="button" className="button small" onClick={onCancel}>
            {t('comments.cancel')}
          </button>
        )}
        <button
          type="submit"
          className="button small primary"
          disabled={make.isPending || used === 0 || used > TEXT_MAX}
        >
          {make.isPending ? t('wait') : t('comments.send')}
        </button>
      </div>
    </form>
  );
}
