// What is in a file of codes, before anything is written.
import { Alert, Checkbox } from 'antd';
import { formatNumber } from '../../i18n';
import type { CodeCell, Sheet } from '../logic/sheet';
import { Scroll } from '../parts/Scroll';
import { useText } from '../text';

const ROWS_SHOWN = 4;
const WRONG_SHOWN = 5;

export interface Found {
  codes: CodeCell[];
  repeated: number;
  fresh: number;
  already: number;
  malformed: CodeCell[];
}

/** The first lines, with the column that is taken. */
export function FoundRows({ sheet, column, header }: { sheet: Sheet; column: number; header: boolean }) {
  const { t } = useText();
  const shown = sheet.rows.slice(header ? 1 : 0, ROWS_SHOWN + (header ? 1 : 0));
  const places = Array.from({ length: sheet.columns }, (_, at) => at);
  return (
    <Scroll className="scroll">
      <table className="plain-table" aria-label={t('codes.firstLines')}>
        <thead>
          <tr>
            {places.map((at) => (
              <th key={at}>
                {(header && sheet.rows[0]?.[at]) || t('codes.columnN', { n: at + 1 })}
                {at === column && ` ✓`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a file have no other name
            <tr key={line}>
              {places.map((at) => (
                <td key={at} className={at === column ? '' : 'soft'}>
                  {row[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

interface FoundProps {
  found: Found;
  leaveOut: boolean;
  setLeaveOut: (on: boolean) => void;
}

/** How many are new, how many are not, and which lines are no codes. */
export function CodesFound({ found, leaveOut, setLeaveOut }: FoundProps) {
  const { t, language } = useText();
  const n = (count: number) => formatNumber(count, language);
  const wrong = found.malformed;
  return (
    <div className="gap-top" role="status">
      <Alert
        type={found.fresh > 0 ? 'success' : 'warning'}
        showIcon
        title={t('codes.found', {
          fresh: n(found.fresh),
          already: n(found.already),
          repeated: n(found.repeated),
          malformed: n(wrong.length),
        })}
      />
      {wrong.length > 0 && (
        <Alert
          className="gap-top"
          type="warning"
          showIcon
          title={t('codes.wrongLines', {
            lines: wrong
              .slice(0, WRONG_SHOWN)
              .map(({ line }) => n(line))
              .join(', '),
          })}
          description={
            <Checkbox checked={leaveOut} onChange={(event) => setLeaveOut(event.target.checked)}>
              {t('codes.leaveOut')}
            </Checkbox>
          }
        />
      )}
    </div>
  );
}
