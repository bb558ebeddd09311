// A chart; the library comes only when one is looked at. What it shows is said in words too, for those who cannot see it.
import type { EChartsOption } from 'echarts';
import { useEffect, useRef, useState } from 'react';
import { useDark } from '../../theme/theme';
import { useText } from '../text';
import type { Plotter } from './plotter';

interface Props {
  option: EChartsOption;
  /** The chart in a sentence. */
  label: string;
  height?: number;
  /** Whether a stretch of time can be chosen. */
  zoom?: boolean;
}

export function Chart({ option, label, height = 260, zoom = false }: Props) {
  const { t } = useText();
  const frame = useRef<HTMLDivElement>(null);
  const dark = useDark();
  const [plotter, setPlotter] = useState<Plotter>();
  useEffect(() => {
    let over = false;
    let made: Plotter | undefined;
    void import('./plotter').then(({ plot }) => {
      if (over || !frame.current) return;
      made = plot(frame.current, dark);
      setPlotter(made);
    });
    return () => {
      over = true;
      made?.end();
      setPlotter(undefined);
    };
  }, [dark]);
  useEffect(() => plotter?.show(option, zoom), [plotter, option, zoom]);
  return (
    <>
      <div ref={frame} role="img" aria-label={label} className="chart" style={{ height }} />
      {zoom && <p className="fine soft">{t('chart.zoom')}</p>}
    </>
  );
}
