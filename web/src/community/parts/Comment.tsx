import { useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import type { CommentBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { Dialog } from '../../play/parts/Dialog';
import { Field, Form } from '../../play/parts/Form';
import { Refused } from '../../play/parts/states';
import { shownName } from '../../play/people';
import { signInPath, useSession } from '../../play/session';
import { useText } from '../../play/text';
import { indentOf } from '../commentChanges';
import { canModerate } from '../moderation';
import { useCommentLike, useDeleteComment, useJudgeComment } from '../useComments';
import { Byline } from './Byline';
import { CommentForm } from './CommentForm';
import styles from './Comments.module.css';
import { HeartIcon } from './icons';
import marks from './marks.module.css';
import { NamedText } from './NamedText';
import { ReportDialog } from './ReportDialog';

interface Props {
  comment: CommentBody;
  locked: boolean;
  /** A reply of mine was sent. */
  onReplied?: () => void;
}

/** A comment with what one can do about it. */
export function Comment({ comment, locked, onReplied }: Props) {
  const { t, language } = useText();
  const { me } = useSession();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [replying, setReplying] = useState(false);
  const [asked, setAsked] = useState<'delete' | 'judge' | 'report'>();
  const like = useCommentLike(comment.id);
  const mine = me !== undefined && comment.author?.id === me.id;
  const signIn = () => void navigate(signInPath(pathname));
  if (comment.tombstone) {
    return (
      <div className={styles.comment} data-indent={indentOf(comment)}>
        <p className={`${styles.text} ${styles.gone}`}>{t('comments.tombstone')}</p>
      </div>
    );
  }
  const name = comment.author ? shownName(comment.author.name, t) : t('person.nobody');
  const number = formatNumber(comment.likes, language);
  return (
    <div className={styles.comment} data-indent={indentOf(comment)}>
      <Byline author={comment.author} publishedAt={comment.made_at_ms} />
      <p className={styles.text}>
        {comment.reply_to_person && comment.depth > 2 && (
          <span className={styles.to}>
            {t('comments.to', { name: shownName(comment.reply_to_person.name, t) })}{' '}
          </span>
        )}
        <NamedText text={comment.text} mentions={comment.mentions} />
      </p>
      {comment.state !== 'visible' && (
        <p className={`${styles.text} ${styles.gone}`}>
          {t(comment.state === 'held' ? 'comments.held' : 'comments.removed')}
          {mine && comment.state === 'removed' && (
            <>
              {' '}
              <Link to="/me/decisions">{t('decisions.see')}</Link>
            </>
          )}
        </p>
      )}
      <div className={styles.acts}>
        {comment.state === 'visible' && (
          <button
            type="button"
            className={marks.button}
            aria-pressed={comment.liked_by_me}
            aria-label={`${t('comments.like')}, ${t('post.likes', { count: comment.likes, number })}`}
            onClick={() => (me ? like.mutate(!comment.liked_by_me) : signIn())}
          >
            <HeartIcon full={comment.liked_by_me} size={18} />
            <span>{number}</span>
          </button>
        )}
        {!locked && comment.state === 'visible' && (
          <button
            type="button"
            className={marks.button}
            aria-label={t('comments.reply', { name })}
            onClick={() => (me ? setReplying(true) : signIn())}
          >
            {t('comments.replyTo')}
          </button>
        )}
        {mine && (
          <button type="button" className={marks.button} onClick={() => setAsked('delete')}>
            {t('comments.delete')}
          </button>
        )}
        {!mine && me && (
          <button
            type="button"
            className={marks.button}
            aria-label={t('report.title.comment')}
            onClick={() => setAsked('report')}
          >
            {t('report.send')}
          </button>
        )}
        {!mine && canModerate(me) && (
          <button type="button" className={marks.button} onClick={() => setAsked('judge')}>
            {comment.state === 'removed' ? t('comments.restore') : t('comments.remove')}
          </button>
        )}
      </div>
      <Refused error={like.error} />
      {replying && me && (
        <CommentForm
          person={me.id}
          post={comment.subject}
          replyTo={{ id: comment.id, name }}
          onCancel={() => setReplying(false)}
          onDone={() => {
            setReplying(false);
            onReplied?.();
          }}
        />
      )}
      {asked === 'report' && (
        <ReportDialog on="comment" id={comment.id} onClose={() => setAsked(undefined)} />
      )}
      {asked === 'delete' && <DeleteDialog comment={comment} onClose={() => setAsked(undefined)} />}
      {asked === 'judge' && <JudgeDialog comment={comment} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

function DeleteDialog({ comment, onClose }: { comment: CommentBody; onClose(): void }) {
  const { t } = useText();
  const remove = useDeleteComment(comment);
  return (
    <Dialog title={t('comments.deleteTitle')} onClose={onClose}>
      <p>{t('comments.deleteText')}</p>
      <Refused error={remove.error} />
      <div className="buttons">
        <button
          type="button"
          className="button danger"
          disabled={remove.isPending}
          onClick={() => remove.mutate(undefined, { onSuccess: onClose })}
        >
          {remove.isPending ? t('wait') : t('post.deleteSure')}
        </button>
      </div>
    </Dialog>
  );
}

function JudgeDialog({ comment, onClose }: { comment: CommentBody; onClose(): void }) {
  const { t } = useText();
  const judge = useJudgeComment(comment);
  const act = comment.state === 'removed' ? t('comments.restore') : t('comments.remove');
  return (
    <Dialog title={act} onClose={onClose}>
      <Form
        submit={act}
        busy={judge.isPending}
        error={judge.error}
        onSubmit={({ reason = '' }) => judge.mutate(reason, { onSuccess: onClose })}
      >
        <Field
          name="reason"
          label={t('moderate.reason')}
          hint={t('moderate.reasonHint')}
          required
          error={judge.error}
        />
      </Form>
    </Dialog>
  );
}
