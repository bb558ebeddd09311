// A chart; the library comes only when one is looked at. What it shows is said in words too, for those who cannot see it.
import type { EChartsOption } from 'echarts';
import { useEffect, useRef, useState } from 'react';
import { useDark } from '../../theme/theme';
import type { Plotter } from './plotter';

interface Props {
  option: EChartsOption;
  /** The chart in a sentence. */
  label: string;
  height?: number;
}

export function Chart({ option, label, height = 260 }: Props) {
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
  useEffect(() => plotter?.show(option), [plotter, option]);
  return <div ref={frame} role="img" aria-label={label} className="chart" style={{ height }} />;
}
