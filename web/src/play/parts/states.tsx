// Honest states: loading, empty, failed.
import type { ReactNode } from 'react';
import { Lost, Problem } from '../../api/problem';
import { type Say, useText, type Word } from '../text';
import { Cloud, Spark } from './art';

export function Loading() {
  const { t } = useText();
  return (
    <div className="loading" role="status">
      <Spark />
      <span>{t('loading')}</span>
    </div>
  );
}

/** What an error says to people; of a fault also the request's id, for those who can look it up. */
export function ErrorText({ error }: { error: unknown }) {
  const { t } = useText();
  if (error instanceof Problem) {
    return (
      <>
        <p>{wordsFor(error, t)}</p>
        {error.isFault && error.requestId && (
          <p className="request">{t('error.request', { id: error.requestId })}</p>
        )}
      </>
    );
  }
  return <p>{error instanceof Lost ? t('error.lost') : t('error.page')}</p>;
}

/** The server's words, for people: its own name of a field becomes the one that these pages have for it. */
function wordsFor(error: Problem, t: Say): string {
  if (error.code === 'unauthenticated') return t('error.signIn');
  if (error.field === undefined) return error.message;
  const key = `field.${error.field.slice(error.field.lastIndexOf('.') + 1)}`;
  const label = t(key as Word);
  return label === key ? error.plain : error.called(label);
}

/** In place of what could not be read. */
export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  const { t } = useText();
  return (
    <div className="state" role="alert">
      <Cloud />
      <h2>{t('error.title')}</h2>
      <ErrorText error={error} />
      {retry && (
        <button type="button" className="button" onClick={retry}>
          {t('error.retry')}
        </button>
      )}
    </div>
  );
}

/** Beside what was just tried. */
export function Refused({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <div className="refused" role="alert">
      <ErrorText error={error} />
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="state">
      <Cloud />
      <h2>{title}</h2>
      {children}
    </div>
  );
}
