/** The bare library, with the same lines in the same style. */
import { createChart, LineSeries, LineStyle, LineType, type UTCTimestamp } from 'lightweight-charts';
import { createPrints, PERPETUALS } from '../prints.ts';
import { isDrawn, present } from '../stage.ts';

const COLOURS = ['#6cb6ff', '#e69f00', '#3fc08f', '#c39bff', '#ff8fb8', '#c8d94a', '#4fd5df', '#c9b79c'];
const STROKES = [LineStyle.Solid, LineStyle.Dashed, LineStyle.Dotted];

const lines = Array.from({ length: PERPETUALS }, (_, index) =>
  createPrints(index + 1)
    .map(({ funding_rate, interval_end }) => [Date.parse(interval_end) / 1_000, Number(funding_rate)] as const)
    .reverse(),
);

present((root) => {
  const host = document.createElement('div');
  host.style.cssText = 'position:absolute;inset:80px 12px 24px;block-size:558px';
  root.append(host);
  const chart = createChart(host, {
    autoSize: true,
    layout: { attributionLogo: false },
    timeScale: { minBarSpacing: 0.05, timeVisible: true },
  });
  for (const [index, points] of lines.entries()) {
    const series = chart.addSeries(LineSeries, {
      color: COLOURS[index % COLOURS.length] ?? '',
      lineWidth: 1,
      lineStyle: STROKES[Math.floor(index / COLOURS.length)] ?? LineStyle.Solid,
      lineType: LineType.WithSteps,
      priceLineVisible: false,
    });
    series.setData(points.map(([time, rate]) => ({ time: time as UTCTimestamp, value: rate * 100 })));
  }
  chart.timeScale().setVisibleLogicalRange({ from: -0.5, to: (lines[0]?.length ?? 0) - 0.5 });
}, isDrawn);
