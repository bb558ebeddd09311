// The editor: a new post, or the next version of one's own. What is written is kept on the device until it is sent.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate, useParams } from 'react-router';
import { hasCode } from '../../api/problem';
import type { AccountBody, PostWholeBody } from '../../api/wire';
import { Dialog } from '../../play/parts/Dialog';
import { Field, Form } from '../../play/parts/Form';
import { Head } from '../../play/parts/Head';
import { Empty, Failed, Loading, Refused } from '../../play/parts/states';
import { useSession } from '../../play/session';
import { useText } from '../../play/text';
import { draftProblem } from '../draftProblem';
import { communityKeys } from '../keys';
import { BodyField } from '../parts/BodyField';
import { Rendered } from '../parts/Rendered';
import { Used } from '../parts/Used';
import { postRead, previewRead } from '../reads';
import { EMPTY_DRAFT, type PostDraft, useKeptDraft } from '../useKeptDraft';
import { draftOf, useSavePost } from '../useSavePost';
import { useSteady } from '../useSteady';
import styles from './Write.module.css';

const TITLE_MAX = 100;
const BODY_MAX = 20_000;
/** So long nobody types before the preview follows. */
const PREVIEW_AFTER_MS = 350;

export default function Write() {
  const { id } = useParams();
  const { me } = useSession();
  if (!me) return null;
  return id ? <Edit key={id} id={id} me={me} /> : <Editor me={me} />;
}

function Edit({ id, me }: { id: string; me: AccountBody }) {
  const { t } = useText();
  const { data: post, error, isPending, refetch } = useQuery(postRead(id));
  // Discarded: what is there now is begun with anew.
  const [round, setRound] = useState(0);
  if (isPending) return <Loading />;
  if (hasCode(error, 'not_found')) return <Empty title={t('post.gone')} />;
  if (!post) return <Failed error={error} retry={() => void refetch()} />;
  if (post.author?.id !== me.id) return <Empty title={t('write.notYours')} />;
  return <Editor key={round} me={me} post={post} onDiscarded={() => setRound((n) => n + 1)} />;
}

interface EditorProps {
  me: AccountBody;
  post?: PostWholeBody;
  onDiscarded?: () => void;
}

function Editor({ me, post, onDiscarded }: EditorProps) {
  const { t } = useText();
  const navigate = useNavigate();
  // The version that was looked at, also when a newer one is read meanwhile: saving over it unseen would lose it.
  const [base, setBase] = useState(post);
  const [start] = useState(() => (post ? draftOf(post) : EMPTY_DRAFT));
  const { draft, change, discard, saved, restored } = useKeptDraft(`${me.id}.${post?.id ?? 'new'}`, start);
  const [view, setView] = useState<'write' | 'preview'>('write');
  const [asked, setAsked] = useState(false);
  const [kept, setKept] = useState(false);
  const save = useSavePost(me.id, base, (id) => {
    discard();
    void navigate(`/posts/${id}`, { replace: true });
  });
  const stale = hasCode(save.error, 'version_stale');
  const error = stale ? undefined : draftProblem(save.error, draft);
  return (
    // A field that is missing or refused is shown: it cannot take the focus behind the preview.
    <div className={styles.wide} onSubmitCapture={() => flushSync(() => setView('write'))}>
      <Head
        title={post ? t('write.editTitle') : t('write.title')}
        back={post ? `/posts/${post.id}` : '/community'}
      />
      <div className={styles.status}>
        <span role="status">{saved ? t('write.kept') : restored ? t('write.restored') : ''}</span>
        {(saved || restored) && (
          <button type="button" className="plain" onClick={() => setAsked(true)}>
            {t('write.discard')}
          </button>
        )}
      </div>
      <Form
        submit={post ? t('write.save') : t('write.publish')}
        busy={save.isPending}
        error={error}
        onSubmit={() => save.mutate(draft)}
      >
        <fieldset className={styles.views}>
          <legend className="unseen">{t('write.views')}</legend>
          {(['write', 'preview'] as const).map((one) => (
            <button key={one} type="button" aria-pressed={view === one} onClick={() => setView(one)}>
              {t(`write.${one}`)}
            </button>
          ))}
        </fieldset>
        <div className={styles.sides}>
          <div className={view === 'write' ? styles.fields : `${styles.fields} ${styles.hidden}`}>
            <Field
              name="title"
              label={t('write.titleField')}
              placeholder={t('write.titleHint')}
              value={draft.title}
              required
              autoComplete="off"
              error={error}
              beside={
                <span className={styles.beside}>
                  <Used text={draft.title} max={TITLE_MAX} />
                </span>
              }
              onChange={(event) => change({ title: event.target.value })}
            />
            <Field
              name="link"
              label={t('write.link')}
              placeholder="https://"
              hint={t('write.linkHint')}
              type="url"
              inputMode="url"
              value={draft.link}
              autoComplete="off"
              error={error}
              onChange={(event) => change({ link: event.target.value })}
            />
            <BodyField
              value={draft.body}
              max={BODY_MAX}
              error={error}
              onChange={(body) => change({ body })}
            />
          </div>
          <Preview draft={draft} hidden={view !== 'preview'} />
        </div>
        {kept && !stale && <p className={styles.stale}>{t('write.staleKept')}</p>}
        {stale && post && (
          <Stale
            id={post.id}
            onDiscard={() => {
              discard();
              onDiscarded?.();
            }}
            onKept={(newest) => {
              setBase(newest);
              save.reset();
              setKept(true);
            }}
          />
        )}
      </Form>
      {asked && (
        <Dialog title={t('write.discardTitle')} onClose={() => setAsked(false)}>
          <p>{t('write.discardText')}</p>
          <div className="buttons">
            <button
              type="button"
              className="button danger"
              onClick={() => {
                discard();
                setAsked(false);
              }}
            >
              {t('write.discard')}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

/** The text as others will see it, a moment after nobody types any more. */
function Preview({ draft, hidden }: { draft: PostDraft; hidden: boolean }) {
  const { t } = useText();
  const body = useSteady(draft.body, PREVIEW_AFTER_MS);
  const { data, error } = useQuery({ ...previewRead(body), placeholderData: keepPreviousData });
  const empty = draft.title.trim() === '' && body.trim() === '';
  return (
    <section
      className={hidden ? `${styles.preview} ${styles.hidden}` : styles.preview}
      aria-label={t('write.preview')}
    >
      {empty && <p className="quiet">{t('write.previewEmpty')}</p>}
      {draft.title.trim() && <h2>{draft.title}</h2>}
      {body.trim() && data && <Rendered html={data.html} />}
      <Refused error={error} />
    </section>
  );
}

interface StaleProps {
  id: string;
  onDiscard(): void;
  onKept(newest: PostWholeBody): void;
}

/** Another version was saved meanwhile: whose text goes on is up to whoever writes. */
function Stale({ id, onDiscard, onKept }: StaleProps) {
  const { t } = useText();
  const client = useQueryClient();
  const load = () => client.fetchQuery({ ...postRead(id), queryKey: communityKeys.post(id), staleTime: 0 });
  return (
    <div className={styles.stale} role="alert">
      <p>{t('write.stale')}</p>
      <div className="buttons">
        <button type="button" className="button small" onClick={() => void load().then(onKept)}>
          {t('write.staleKeep')}
        </button>
        <button type="button" className="button small" onClick={() => void load().then(onDiscard)}>
          {t('write.staleLoad')}
        </button>
      </div>
    </div>
  );
}
