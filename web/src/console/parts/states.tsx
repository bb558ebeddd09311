// The states between asking and having: loading, trouble, nothing there.
import { Alert, Button, Empty, Spin } from 'antd';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Lost, Problem, withoutField } from '../../api/problem';
import { labelOf } from '../logic/flaws';
import { type Say, useText } from '../text';
import { Copy } from './Copy';

export function Loading() {
  const { t } = useText();
  return (
    <div className="centre" role="status">
      <Spin />
      <span className="soft">{t('loading')}</span>
    </div>
  );
}

/** What is wrong, and where: by the field's label, or as the API calls it where this page has no word for it. */
export function FlawText({ flaw }: { flaw: { field: string; text: string } }) {
  const { t } = useText();
  const label = labelOf(flaw.field, t);
  return (
    <>
      {label ? <b>{label}</b> : <code>{flaw.field}</code>} {withoutField(flaw.field, flaw.text)}
    </>
  );
}

/** A failure in the server's words, with its code and the request id that whoever runs the site can look for. */
export function Trouble({ error, retry, quiet }: { error: unknown; retry?: () => void; quiet?: boolean }) {
  const { t } = useText();
  const problem = error instanceof Problem ? error : undefined;
  const text = problem ? wordsFor(problem, t) : t(error instanceof Lost ? 'error.lost' : 'error.page');
  return (
    <Alert
      type="error"
      showIcon={!quiet}
      role="alert"
      title={text}
      action={
        problem?.code === 'second_factor_required' ? (
          <Link to="/account">{t('second.begin')}</Link>
        ) : (
          retry && (
            <Button size="small" onClick={retry}>
              {t('error.retry')}
            </Button>
          )
        )
      }
      description={
        problem && (
          <>
            {problem.flaws.length > 0 && (
              <ul className="flaws">
                {problem.flaws.map((flaw) => (
                  <li key={`${flaw.field} ${flaw.code} ${flaw.text}`}>
                    <FlawText flaw={flaw} />
                  </li>
                ))}
              </ul>
            )}
            <p className="fine">
              <code>{problem.code}</code>
              {problem.requestId && (
                <>
                  {' · '}
                  {t('error.request', { id: problem.requestId })} <Copy text={problem.requestId} />
                </>
              )}
            </p>
          </>
        )
      }
    />
  );
}

function wordsFor(problem: Problem, t: Say): string {
  if (problem.code === 'unauthenticated') return t('error.signIn');
  const label = problem.field && labelOf(problem.field, t);
  return label ? problem.called(label) : problem.message;
}

export function Nothing({ text, children }: { text?: string; children?: ReactNode }) {
  const { t } = useText();
  return (
    <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={text ?? t('table.empty')}>
      {children}
    </Empty>
  );
}

interface Asked<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

/** What a read brought, or why not. An answer that is there stays there while a later one fails. */
export function Read<T>({ from, children }: { from: Asked<T>; children: (data: T) => ReactNode }) {
  if (from.data !== undefined) {
    return (
      <>
        {from.error ? <Trouble error={from.error} retry={() => void from.refetch()} /> : null}
        {children(from.data)}
      </>
    );
  }
  if (from.error) return <Trouble error={from.error} retry={() => void from.refetch()} />;
  return <Loading />;
}
