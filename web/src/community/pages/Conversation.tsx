import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { hasCode } from '../../api/problem';
import type { PrivateMessageBody } from '../../api/wire';
import { Empty, Failed, Loading, Refused } from '../../play/parts/states';
import { useTitle } from '../../play/parts/useTitle';
import { shownName } from '../../play/people';
import { useText } from '../../play/text';
import { charactersIn } from '../draftProblem';
import { BackBar } from '../parts/BackBar';
import { Age } from '../parts/Byline';
import { Face } from '../parts/Face';
import { ReportDialog } from '../parts/ReportDialog';
import { Used } from '../parts/Used';
import { conversationRead, memberRead } from '../reads';
import { useMarkRead, useSendMessage } from '../useMessages';
import { useNews } from '../useNews';
import styles from './Conversation.module.css';

const TEXT_MAX = 2_000;

/** What somebody and I wrote to each other; what comes while the page is open appears by itself. */
export default function Conversation({ id }: { id: string }) {
  const { t } = useText();
  useNews();
  const member = useQuery(memberRead(id));
  const query = useInfiniteQuery(conversationRead(id));
  const name = member.data ? shownName(member.data.name, t) : t('person.nobody');
  useTitle(t('messages.with', { name }));
  const messages = (query.data?.pages.flatMap((page) => page.items) ?? []).toReversed();
  useMarkRead(id, messages.findLast((message) => !message.mine)?.n);
  if (query.isPending || member.isPending) return <Loading />;
  if (hasCode(query.error, 'not_found'))
    return (
      <>
        <BackBar to="/inbox/messages" />
        <Empty title={t('member.gone')}>
          <p>{t('member.goneText')}</p>
        </Empty>
      </>
    );
  if (!query.data) return <Failed error={query.error} retry={() => void query.refetch()} />;
  const readByOther = query.data.pages[0]?.read_by_other ?? 0;
  return (
    <>
      <div className={styles.head}>
        <BackBar to="/inbox/messages" />
        {member.data ? (
          <Link to={`/members/${id}`} className={styles.who}>
            <Face person={member.data} size="small" />
            <h1>{name}</h1>
          </Link>
        ) : (
          <h1>{name}</h1>
        )}
      </div>
      {query.hasNextPage && (
        <button
          type="button"
          className={`button small ${styles.older}`}
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('messages.older')}
        </button>
      )}
      <Messages id={id} messages={messages} readByOther={readByOther} label={t('messages.with', { name })} />
      {messages.length === 0 && <p className={styles.first}>{t('messages.first')}</p>}
      {member.data ? (
        <MessageForm id={id} name={name} />
      ) : (
        <p className={styles.first}>{t('messages.deleted')}</p>
      )}
    </>
  );
}

interface MessagesProps {
  id: string;
  messages: readonly PrivateMessageBody[];
  readByOther: number;
  label: string;
}

function Messages({ id, messages, readByOther, label }: MessagesProps) {
  const { t } = useText();
  const [reported, setReported] = useState<number>();
  const end = useRef<HTMLDivElement>(null);
  const newest = messages.at(-1)?.n;
  useEffect(() => {
    if (newest !== undefined) end.current?.scrollIntoView({ block: 'nearest' });
  }, [newest]);
  const lastRead = messages.findLast((message) => message.mine && message.n <= readByOther)?.n;
  return (
    <>
      <ol className={styles.messages} aria-label={label} aria-live="polite">
        {messages.map((message) => (
          <li key={message.n} className={styles.message} data-mine={message.mine}>
            <p className={message.text === undefined ? styles.gone : undefined}>
              {message.text ?? t('messages.gone')}
            </p>
            <small>
              <Age at={message.sent_at_ms} />
              {message.n === lastRead && ` · ${t('messages.read')}`}
              {!message.mine && message.text !== undefined && (
                <button
                  type="button"
                  className={styles.report}
                  aria-label={t('report.title.message')}
                  onClick={() => setReported(message.n)}
                >
                  {t('report.send')}
                </button>
              )}
            </small>
          </li>
        ))}
      </ol>
      <div ref={end} />
      {reported !== undefined && (
        <ReportDialog on="message" id={id} n={reported} onClose={() => setReported(undefined)} />
      )}
    </>
  );
}

function MessageForm({ id, name }: { id: string; name: string }) {
  const { t } = useText();
  const [text, setText] = useState('');
  const send = useSendMessage(id);
  const used = charactersIn(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (send.isPending || used === 0 || used > TEXT_MAX) return;
    send.mutate(text, { onSuccess: () => setText('') });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <Refused error={send.error} />
      <div className={styles.line}>
        <textarea
          name="text"
          rows={2}
          aria-label={t('messages.writeTo', { name })}
          placeholder={t('messages.placeholder')}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button
          type="submit"
          className="button primary"
          disabled={send.isPending || used === 0 || used > TEXT_MAX}
        >
          {send.isPending ? t('wait') : t('messages.send')}
        </button>
      </div>
      {used > TEXT_MAX && <Used text={text} max={TEXT_MAX} />}
    </form>
  );
}
