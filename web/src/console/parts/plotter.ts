// ECharts with the parts that are used, and nothing else of it.
import type { EChartsOption } from 'echarts';
import { BarChart, LineChart, PieChart } from 'echarts/charts';
import { GridComponent, LegendComponent, MarkLineComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';

use([
  BarChart,
  LineChart,
  PieChart,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TooltipComponent,
  CanvasRenderer,
]);

export interface Plotter {
  show(option: EChartsOption): void;
  end(): void;
}

/** Told apart by those who see few colours, on both grounds. */
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

export function plot(frame: HTMLElement, dark: boolean): Plotter {
  const chart = init(frame);
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const watch = new ResizeObserver(() => chart.resize());
  watch.observe(frame);
  const ink = dark ? '#d8c8bb' : '#5a4a3f';
  const line = dark ? '#3b2e28' : '#eadfce';
  const axis = {
    axisLabel: { color: ink },
    axisLine: { lineStyle: { color: line } },
    splitLine: { lineStyle: { color: line } },
  };
  const dress = (one: object) => ({
    ...axis,
    ...one,
    axisLabel: { ...axis.axisLabel, ...('axisLabel' in one ? (one.axisLabel as object) : {}) },
  });
  const dressed = (given: unknown) => (Array.isArray(given) ? given.map(dress) : dress(given as object));
  return {
    show(option) {
      chart.setOption(
        {
          color: COLOURS,
          animation: !still,
          textStyle: { color: ink },
          ...option,
          ...(option.xAxis ? { xAxis: dressed(option.xAxis) } : {}),
          ...(option.yAxis ? { yAxis: dressed(option.yAxis) } : {}),
          legend: option.legend && {
            textStyle: { color: ink },
            type: 'scroll',
            ...(option.legend as object),
          },
          tooltip: {
            confine: true,
            backgroundColor: dark ? '#2b221e' : '#fffdf9',
            borderColor: line,
            textStyle: { color: dark ? '#f7ede3' : '#2a1c16' },
            ...(option.tooltip as object),
          },
        } as EChartsOption,
        { notMerge: true },
      );
    },
    end() {
      watch.disconnect();
      chart.dispose();
    },
  };
}
