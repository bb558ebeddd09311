// Importing codes: a file or pasted lines are looked at first (columns, heading, what is new, there already or no code), and
// only then written, in pieces, with progress. Repeating an import adds only what is missing.
import { useQueryClient } from '@tanstack/react-query';
import { Alert, Button, Checkbox, Input, Modal, Progress, Select } from 'antd';
import { useMemo, useRef, useState } from 'react';
import type { CodePoolBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { siteKeys } from '../keys';
import { piecesOf } from '../logic/pieces';
import { codesOf, readSheet, sheetText } from '../logic/sheet';
import { Trouble } from '../parts/states';
import { useText } from '../text';
import { CodesFound, type Found, FoundRows } from './CodesFound';
import { importPiece, previewPiece } from './codesWire';

interface Told {
  done: number;
  of: number;
  added: number;
  already: number;
}

export function CodesImport({
  pool,
  refresh,
}: {
  pool: Pick<CodePoolBody, 'id' | 'name'>;
  refresh: readonly unknown[];
}) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {t('codes.import')}
      </Button>
      {open && <Dialog pool={pool} refresh={refresh} close={() => setOpen(false)} />}
    </>
  );
}

interface DialogProps {
  pool: Pick<CodePoolBody, 'id' | 'name'>;
  refresh: readonly unknown[];
  close: () => void;
}

function Dialog({ pool, refresh, close }: DialogProps) {
  const { t, language } = useText();
  const client = useQueryClient();
  const file = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [name, setName] = useState('');
  const [shape, setShape] = useState<{ column?: number; header?: boolean }>({});
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<Found>();
  const [leaveOut, setLeaveOut] = useState(false);
  const [told, setTold] = useState<Told>();
  const [error, setError] = useState<unknown>();
  const sheet = useMemo(() => readSheet(text), [text]);
  const column = shape.column ?? sheet.chosen;
  const header = shape.header ?? sheet.header;
  const n = (count: number) => formatNumber(count, language);

  /** Whatever was found is not true of anything else. */
  const write = (next: string) => {
    setText(next);
    setShape({});
    setFound(undefined);
    setTold(undefined);
    setError(undefined);
  };
  const reshape = (next: { column?: number; header?: boolean }) => {
    setShape((old) => ({ ...old, ...next }));
    setFound(undefined);
  };
  const work = async (what: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    try {
      await what();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const check = () =>
    work(async () => {
      const { codes, repeated } = codesOf(sheet, column, header);
      const sum: Found = { codes, repeated, fresh: 0, already: 0, malformed: [] };
      for (const piece of piecesOf(sheetText(codes)).pieces) {
        const answer = await previewPiece(pool.id, piece.text);
        sum.fresh += answer.fresh;
        sum.already += answer.already;
        // The heading is line 1 of each piece.
        for (const line of answer.malformed_lines) {
          const cell = codes[piece.before + line - 2];
          if (cell) sum.malformed.push(cell);
        }
      }
      setFound(sum);
    });
  const go = () =>
    work(async () => {
      if (!found) return;
      const wrong = new Set(found.malformed.map(({ line }) => line));
      const { pieces } = piecesOf(sheetText(found.codes.filter(({ line }) => !wrong.has(line))));
      const sum: Told = { done: 0, of: pieces.length, added: 0, already: 0 };
      setTold({ ...sum });
      try {
        for (const piece of pieces) {
          const answer = await importPiece(pool.id, piece.text);
          sum.done += 1;
          sum.added += answer.added;
          sum.already += answer.already;
          setTold({ ...sum });
        }
        setText('');
        setFound(undefined);
      } finally {
        void client.invalidateQueries({ queryKey: refresh });
        void client.invalidateQueries({ queryKey: siteKeys.attention });
      }
    });
  const blocked = found && (found.fresh === 0 || (found.malformed.length > 0 && !leaveOut));
  return (
    <Modal
      open
      title={t('codes.importInto', { name: pool.name })}
      onCancel={close}
      mask={{ closable: false }}
      footer={[
        <Button key="close" onClick={close} disabled={busy}>
          {t('close')}
        </Button>,
        found ? (
          <Button
            key="go"
            type="primary"
            onClick={() => void go()}
            loading={busy}
            disabled={blocked === true}
          >
            {t('codes.importNew', { count: found.fresh, n: n(found.fresh) })}
          </Button>
        ) : (
          <Button
            key="check"
            type="primary"
            onClick={() => void check()}
            loading={busy}
            disabled={text === ''}
          >
            {t('codes.check')}
          </Button>
        ),
      ]}
    >
      <p>{t('codes.importHelp')}</p>
      <input
        ref={file}
        type="file"
        hidden
        accept=".txt,.csv,.tsv,text/plain,text/csv"
        aria-label={t('codes.file')}
        onChange={async (event) => {
          const chosen = event.target.files?.[0];
          if (!chosen) return;
          setName(chosen.name);
          write(await chosen.text());
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
        onChange={(event) => write(event.target.value)}
      />
      {text !== '' && (
        <div className="gap-top">
          <p className="row">
            <Checkbox checked={header} onChange={(event) => reshape({ header: event.target.checked })}>
              {t('codes.header')}
            </Checkbox>
            {sheet.columns > 1 && (
              <Select
                aria-label={t('codes.column')}
                value={column}
                onChange={(next) => reshape({ column: next })}
                options={Array.from({ length: sheet.columns }, (_, at) => ({
                  value: at,
                  label: (header && sheet.rows[0]?.[at]) || t('codes.columnN', { n: at + 1 }),
                }))}
              />
            )}
          </p>
          <FoundRows sheet={sheet} column={column} header={header} />
        </div>
      )}
      {found && <CodesFound found={found} leaveOut={leaveOut} setLeaveOut={setLeaveOut} />}
      {told && (
        <div className="gap-top" role="status">
          <Progress
            percent={told.of === 0 ? 100 : Math.round((100 * told.done) / told.of)}
            status={error ? 'exception' : told.done === told.of ? 'success' : 'active'}
            aria-label={t('codes.import')}
          />
          <Alert type="info" title={t('codes.told', { added: n(told.added), already: n(told.already) })} />
        </div>
      )}
      {error !== undefined && (
        <div className="gap-top">
          <Trouble error={error} />
        </div>
      )}
    </Modal>
  );
}
