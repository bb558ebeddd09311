// ECharts with the parts that are used, and nothing else of it.
import type { EChartsOption } from 'echarts';
import { BarChart, LineChart, PieChart } from 'echarts/charts';
import {
  DataZoomInsideComponent,
  DataZoomSliderComponent,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TooltipComponent,
} from 'echarts/components';
import { init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { COLOURS } from './colours';

use([
  BarChart,
  LineChart,
  PieChart,
  DataZoomInsideComponent,
  DataZoomSliderComponent,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TooltipComponent,
  CanvasRenderer,
]);

export interface Plotter {
  /** With `zoom` there is a bar below the chart to choose a stretch of time with. */
  show(option: EChartsOption, zoom: boolean): void;
  end(): void;
}

/** Room for the bar below a chart, with the labels of its axis above it. */
const ZOOM_BOTTOM_PX = 62;

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
  // What is chosen stays chosen when the figures are read again.
  let range = { start: 0, end: 100 };
  chart.on('datazoom', () => {
    const [zoom] = (chart.getOption() as { dataZoom?: { start?: number; end?: number }[] }).dataZoom ?? [];
    range = { start: zoom?.start ?? 0, end: zoom?.end ?? 100 };
  });
  const zoomed = (option: EChartsOption) => ({
    grid: { ...(option.grid as object), bottom: ZOOM_BOTTOM_PX },
    dataZoom: [
      {
        type: 'inside',
        zoomOnMouseWheel: 'ctrl',
        moveOnMouseWheel: false,
        preventDefaultMouseMove: false,
        ...range,
      },
      {
        type: 'slider',
        height: 18,
        bottom: 8,
        borderColor: line,
        textStyle: { color: ink },
        showDetail: false,
        ...range,
      },
    ],
  });
  return {
    show(option, zoom) {
      chart.setOption(
        {
          color: COLOURS,
          animation: !still,
          textStyle: { color: ink },
          ...option,
          ...(zoom ? zoomed(option) : {}),
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
