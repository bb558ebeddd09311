// The odds editor: parts of the whole by hand, by slider keys or by typing a share; what is left over is "no prize".
import { Button, Input, InputNumber, Tooltip } from 'antd';
import { useState } from 'react';
import { formatNumber } from '../../i18n';
import { left, parseOdds, percent, type Slice, setLeft, setSlice } from '../logic/odds';
import { useText } from '../text';
import { Texts, useFlaws } from './At';

export interface Row extends Slice {
  name: string;
  picture: string;
  /** Where its flaws are told. */
  field: string;
}

interface Props {
  rows: Row[];
  whole: number;
  change: (odds: Slice[]) => void;
}

const COLOURS = [
  '#c2361f',
  '#e0a526',
  '#1d7a5a',
  '#3b6fb5',
  '#8a5bb0',
  '#d07848',
  '#5f8f3e',
  '#b0487e',
  '#6b7d8c',
];

export function OddsTable({ rows, whole, change }: Props) {
  const { t, language } = useText();
  const over = left(rows, whole);
  const set = (at: number, odds: number) => change(setSlice(rows, whole, at, odds));
  const lock = (at: number) =>
    change(rows.map((row, index) => (index === at ? { ...row, locked: !row.locked } : row)));
  return (
    <div className="odds">
      <div
        className="odds-bar"
        role="img"
        aria-label={t('odds.bar', { percent: percent(Math.max(0, over), whole) })}
      >
        {rows.map((row, at) => (
          <span
            key={row.field}
            style={{ flexGrow: row.odds, background: COLOURS[at % COLOURS.length] }}
            title={`${row.name} ${percent(row.odds, whole)} %`}
          />
        ))}
        <span className="odds-none" style={{ flexGrow: Math.max(0, over) }} title={t('odds.none')} />
      </div>
      <table className="plain-table">
        <thead>
          <tr>
            <th>{t('odds.prize')}</th>
            <th>{t('odds.parts', { whole: formatNumber(whole, language) })}</th>
            <th className="right">{t('odds.share')}</th>
            <th>{t('odds.lock')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <OddsRow
              key={row.field}
              row={row}
              colour={COLOURS[at % COLOURS.length] ?? ''}
              whole={whole}
              room={row.odds + Math.max(0, over)}
              set={(odds) => set(at, odds)}
              lock={() => lock(at)}
            />
          ))}
          <tr className="odds-rest">
            <th scope="row">{t('odds.none')}</th>
            <td>
              <PartsInput
                label={t('odds.noneParts')}
                value={over}
                whole={whole}
                change={(odds) => change(setLeft(rows, whole, odds))}
                disabled={rows.every(({ locked }) => locked)}
              />
            </td>
            <td className="right number">{percent(Math.max(0, over), whole)} %</td>
            <td>
              <Tooltip title={t('odds.scaleHelp')}>
                <Button size="small" disabled={over <= 0} onClick={() => change(setLeft(rows, whole, 0))}>
                  {t('odds.fill')}
                </Button>
              </Tooltip>
            </td>
          </tr>
        </tbody>
      </table>
      {over < 0 && (
        <p className="wrong" role="alert">
          {t('odds.tooMuch', { parts: formatNumber(-over, language) })}{' '}
          <Button size="small" onClick={() => change(setLeft(rows, whole, 0))}>
            {t('odds.scaleDown')}
          </Button>
        </p>
      )}
      <p className="soft fine">{t('odds.help')}</p>
    </div>
  );
}

interface RowProps {
  row: Row;
  colour: string;
  whole: number;
  room: number;
  set: (odds: number) => void;
  lock: () => void;
}

function OddsRow({ row, colour, whole, room, set, lock }: RowProps) {
  const { t } = useText();
  const flaws = useFlaws(row.field);
  return (
    <tr>
      <th scope="row">
        <span className="swatch" style={{ background: colour }} />
        {row.picture && !/^(https?:|\/)/.test(row.picture) ? `${row.picture} ` : ''}
        {row.name}
      </th>
      <td>
        <PartsInput
          label={t('odds.of', { name: row.name })}
          value={row.odds}
          whole={whole}
          max={room}
          change={set}
        />
        {flaws.length > 0 && (
          <p className="wrong">
            <Texts flaws={flaws} />
          </p>
        )}
      </td>
      <td className="right number">{percent(row.odds, whole)} %</td>
      <td>
        <Button
          size="small"
          aria-pressed={row.locked}
          onClick={lock}
          type={row.locked ? 'primary' : 'default'}
        >
          {row.locked ? t('odds.locked') : t('odds.free')}
        </Button>
      </td>
    </tr>
  );
}

interface PartsProps {
  label: string;
  value: number;
  whole: number;
  max?: number;
  change: (odds: number) => void;
  disabled?: boolean;
}

/** Parts with the arrow keys by a thousandth of the whole; a share such as 2.5% or 1/40 is typed in the field behind. */
function PartsInput({ label, value, whole, max, change, disabled }: PartsProps) {
  const { t } = useText();
  const [share, setShare] = useState('');
  const take = () => {
    const odds = parseOdds(share, whole);
    if (odds !== undefined) change(odds);
    setShare('');
  };
  return (
    <span className="row parts">
      <InputNumber<number>
        aria-label={label}
        value={value}
        min={0}
        {...(max === undefined ? {} : { max })}
        precision={0}
        step={Math.max(1, Math.round(whole / 1000))}
        disabled={disabled ?? false}
        onChange={(odds) => odds !== null && change(odds)}
      />
      <Input
        className="share"
        aria-label={`${label} (${t('odds.share')})`}
        placeholder="%"
        value={share}
        disabled={disabled ?? false}
        onChange={(event) => setShare(event.target.value)}
        onPressEnter={take}
        onBlur={take}
      />
    </span>
  );
}
