// Importing codes: a file or pasted lines, in pieces, with progress. Repeating an import adds only what is missing.
import { useQueryClient } from '@tanstack/react-query';
import { Alert, Button, Input, Modal, Progress } from 'antd';
import { useRef, useState } from 'react';
import { API_ROOT, ask } from '../../api/client';
import type { CodePoolBody, CodesImportBody } from '../../api/wire';
import { currentLanguage, formatNumber } from '../../i18n';
import { piecesOf } from '../logic/pieces';
import { Trouble } from '../parts/states';
import { useText } from '../text';

interface Told {
  done: number;
  of: number;
  added: number;
  already: number;
  repeated: number;
}

/** The client of the API document speaks JSON; codes go as text. */
function send(id: string, text: string, csv: boolean): Promise<CodesImportBody> {
  return ask(async (signal) => {
    const response = await fetch(`${API_ROOT}/code-pools/${id}/codes`, {
      method: 'POST',
      headers: { 'Content-Type': csv ? 'text/csv' : 'text/plain', 'Accept-Language': currentLanguage() },
      body: text,
      signal,
    });
    const answer = await response.json();
    return response.ok ? { data: answer as CodesImportBody, response } : { error: answer, response };
  });
}

export function CodesImport({ pool, refresh }: { pool: CodePoolBody; refresh: readonly unknown[] }) {
  const { t, language } = useText();
  const client = useQueryClient();
  const file = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [told, setTold] = useState<Told>();
  const [error, setError] = useState<unknown>();
  const { pieces, csv, lines } = piecesOf(text);

  const go = async () => {
    setBusy(true);
    setError(undefined);
    const sum: Told = { done: 0, of: pieces.length, added: 0, already: 0, repeated: 0 };
    setTold({ ...sum });
    try {
      for (const piece of pieces) {
        const answer = await send(pool.id, piece.text, csv);
        sum.done += 1;
        sum.added += answer.added;
        sum.already += answer.already;
        sum.repeated += answer.repeated;
        setTold({ ...sum });
      }
      setText('');
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
      void client.invalidateQueries({ queryKey: refresh });
    }
  };
  const close = () => {
    setOpen(false);
    setText('');
    setName('');
    setTold(undefined);
    setError(undefined);
  };
  const n = (count: number) => formatNumber(count, language);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {t('codes.import')}
      </Button>
      <Modal
        open={open}
        title={t('codes.importInto', { name: pool.name })}
        onCancel={close}
        mask={{ closable: false }}
        footer={[
          <Button key="close" onClick={close} disabled={busy}>
            {t('close')}
          </Button>,
          <Button
            key="go"
            type="primary"
            onClick={() => void go()}
            loading={busy}
            disabled={pieces.length === 0}
          >
            {t('codes.importN', { count: lines, n: n(lines) })}
          </Button>,
        ]}
      >
        <p>{t('codes.importHelp')}</p>
        <input
          ref={file}
          type="file"
          hidden
          accept=".txt,.csv,text/plain,text/csv"
          aria-label={t('codes.file')}
          onChange={async (event) => {
            const chosen = event.target.files?.[0];
            if (!chosen) return;
            setName(chosen.name);
            setText(await chosen.text());
            event.target.value = '';
          }}
        />
        <p className="row">
          <Button onClick={() => file.current?.click()} disabled={busy}>
            {t('codes.file')}
          </Button>
          {name && <span className="soft">{name}</span>}
        </p>
        <Input.TextArea
          aria-label={t('codes.lines')}
          placeholder={t('codes.lines')}
          rows={6}
          disabled={busy}
          value={text.length > 200_000 ? `${text.slice(0, 2000)}\n…` : text}
          readOnly={text.length > 200_000}
          onChange={(event) => setText(event.target.value)}
        />
        {told && (
          <div className="gap-top" role="status">
            <Progress
              percent={told.of === 0 ? 100 : Math.round((100 * told.done) / told.of)}
              status={error ? 'exception' : told.done === told.of ? 'success' : 'active'}
              aria-label={t('codes.import')}
            />
            <Alert
              type="info"
              title={t('codes.told', {
                added: n(told.added),
                already: n(told.already),
                repeated: n(told.repeated),
              })}
            />
          </div>
        )}
        {error !== undefined && (
          <div className="gap-top">
            <Trouble error={error} />
          </div>
        )}
      </Modal>
    </>
  );
}
