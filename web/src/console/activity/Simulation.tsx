// One click: so many draws by so many users over the window, and what came of it.
import { useMutation } from '@tanstack/react-query';
import { Alert, Button, Form, Progress } from 'antd';
import type { EChartsOption } from 'echarts';
import { useMemo, useState } from 'react';
import { api, ask } from '../../api/client';
import type { SimulationBody } from '../../api/wire';
import { formatNumber, formatShort, type Language } from '../../i18n';
import { type Draft, formOf } from '../logic/draft';
import { money, wordFor } from '../parts/bits';
import { Chart } from '../parts/Chart';
import { colourOf } from '../parts/colours';
import { Scroll } from '../parts/Scroll';
import { Trouble } from '../parts/states';
import { Tile } from '../parts/Tile';
import { type Say, useText } from '../text';
import { At, Num } from './At';

/** Below this the draws do not fit the odds, in all likelihood. */
const P_MIN = 0.001;

export function Simulation({ draft }: { draft: Draft }) {
  const { t } = useText();
  const [draws, setDraws] = useState(100_000);
  const [users, setUsers] = useState(5000);
  const run = useMutation({
    mutationFn: () =>
      ask((signal) =>
        api.POST('/activities/simulate', { body: { activity: formOf(draft), draws, users }, signal }),
      ),
  });
  return (
    <section className="panel">
      <h2 className="section-title">{t('sim.title')}</h2>
      <p className="soft">{t('sim.help')}</p>
      <Form layout="vertical" component="div">
        <div className="fields">
          <At field="simulation.draws" label={t('sim.draws')}>
            <Num value={draws} min={1} change={(n) => setDraws(n ?? 1)} />
          </At>
          <At field="simulation.users" label={t('sim.users')}>
            <Num value={users} min={1} change={(n) => setUsers(n ?? 1)} />
          </At>
        </div>
      </Form>
      <Button type="primary" onClick={() => run.mutate()} loading={run.isPending}>
        {t('sim.run')}
      </Button>
      {run.isPending && (
        <Progress percent={100} status="active" showInfo={false} aria-label={t('sim.running')} />
      )}
      {run.error && (
        <div className="gap-top">
          <Trouble error={run.error} />
        </div>
      )}
      {run.data && <Outcome draft={draft} told={run.data} />}
    </section>
  );
}

function Outcome({ draft, told }: { draft: Draft; told: SimulationBody }) {
  const { t, language } = useText();
  const refused = told.refused.total + told.refused.month + told.refused.day + told.refused.entries;
  const p = told.chi_square_p ?? undefined;
  const curves = useMemo(() => curvesOf(draft, told, language), [draft, told, language]);
  const bars = useMemo(() => barsOf(told, t), [told, t]);
  return (
    <div className="gap-top">
      <dl className="tiles">
        <Tile label={t('sim.done')} value={formatNumber(told.draws, language)} />
        <Tile label={t('sim.misses')} value={formatNumber(told.misses, language)} />
        <Tile label={t('sim.refused')} value={formatNumber(refused, language)} />
        <Tile label={t('sim.cost')} value={money(told.cost_minor, language)} />
        <Tile
          label={t('sim.p')}
          value={p === undefined ? '—' : p.toFixed(3)}
          bad={p !== undefined && p < P_MIN}
        />
      </dl>
      {p !== undefined && (
        <Alert
          type={p < P_MIN ? 'warning' : 'success'}
          showIcon
          title={t(p < P_MIN ? 'sim.unfit' : 'sim.fit', { p: p.toFixed(3) })}
          className="gap-bottom"
        />
      )}
      <h3>{t('sim.expected')}</h3>
      <Chart option={bars} label={t('sim.expected')} height={Math.max(180, 60 + told.prizes.length * 34)} />
      <h3>{t('sim.depletion')}</h3>
      <Chart option={curves} label={t('sim.depletion')} height={300} zoom />
      <Scroll className="scroll">
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t('odds.prize')}</th>
              <th className="right">{t('sim.wins')}</th>
              <th className="right">{t('prize.units')}</th>
              <th>{t('sim.ranOut')}</th>
              <th>{t('sim.stops')}</th>
            </tr>
          </thead>
          <tbody>
            {told.prizes.map((prize) => (
              <tr key={prize.id}>
                <th scope="row">{prize.name}</th>
                <td className="right number">{formatNumber(prize.wins, language)}</td>
                <td className="right number">
                  {prize.units === undefined || prize.units === null
                    ? t('unlimited')
                    : formatNumber(prize.units, language)}
                </td>
                <td>{prize.ran_out_ms ? formatShort(prize.ran_out_ms, language) : t('sim.never')}</td>
                <td>
                  {prize.stops.length === 0 && <span className="soft">{t('sim.noStop')}</span>}
                  {prize.stops.map((stop) => (
                    <div key={stop.reason}>
                      {t('sim.stop', {
                        why: wordFor(t, 'stop', stop.reason),
                        n: formatNumber(stop.draws, language),
                        at: formatShort(stop.first_ms, language),
                      })}
                    </div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </div>
  );
}

/** Units left over the window, of the prizes that are counted. */
function curvesOf(draft: Draft, told: SimulationBody, language: Language): EChartsOption {
  const counted = told.prizes.filter((prize) => prize.units !== undefined && prize.units !== null);
  return {
    grid: { left: 48, right: 16, top: 40, bottom: 28 },
    legend: { top: 0 },
    tooltip: { trigger: 'axis' },
    xAxis: {
      type: 'time',
      axisLabel: { formatter: (ms: number) => formatShort(ms, language), hideOverlap: true },
    },
    yAxis: { type: 'value', max: 100, min: 0, axisLabel: { formatter: '{value} %' } },
    series: counted.map((prize, place) => {
      const units = prize.units ?? 1;
      const step = (draft.until - draft.from) / Math.max(1, prize.over_time.length);
      let left = units;
      const points = prize.over_time.map((wins, at) => {
        left -= wins;
        return [draft.from + step * (at + 1), Math.round((1000 * left) / Math.max(1, units)) / 10];
      });
      return {
        name: prize.name,
        type: 'line',
        showSymbol: false,
        color: colourOf(place),
        data: [[draft.from, 100], ...points],
      };
    }),
  };
}

function barsOf(told: SimulationBody, t: Say): EChartsOption {
  const table = told.tables[0];
  const cells = table?.cells ?? [];
  const whole = cells.reduce((sum, cell) => sum + cell.odds, 0);
  const names = new Map(told.prizes.map((prize) => [prize.id, prize.name]));
  const name = (prize: number | null | undefined) =>
    prize === undefined || prize === null ? t('odds.none') : (names.get(prize) ?? String(prize));
  return {
    grid: { left: 8, right: 24, top: 36, bottom: 8, containLabel: true },
    legend: { top: 0 },
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
    xAxis: { type: 'log', min: 1, logBase: 10 },
    yAxis: { type: 'category', inverse: true, data: cells.map((cell) => name(cell.prize)) },
    series: [
      {
        name: t('sim.byOdds'),
        type: 'bar',
        data: cells.map((cell) =>
          Math.max(1, Math.round(((table?.rolls ?? 0) * cell.odds) / Math.max(1, whole))),
        ),
      },
      { name: t('sim.drawn'), type: 'bar', data: cells.map((cell) => Math.max(1, cell.hits)) },
    ],
  };
}
