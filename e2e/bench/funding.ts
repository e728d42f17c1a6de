/**
 * Funding of seventeen perpetuals over five years: the chart of many lines beside the bare library, windows beside one plain
 * pass over floats, the scrolling of the heatmap and of that of the basis beside an empty page. Arguments: `--rounds` (5).
 */
import { parseArgs } from 'node:util';
import { findBrowser } from '../../src/tools/browser.ts';
import { bundlePage, PAGES, type PageName } from './funding/bundle.ts';
import { measureInPage, type PageMeasured } from './funding/in-page.ts';
import { servePages } from './funding/serve-pages.ts';
import { measureWindows } from './funding/windows.ts';
import { publish, toDigits, type Goal } from './lib/report.ts';
import { runRounds } from './lib/rounds.ts';
import { median } from './lib/statistics.ts';
import { formatTable } from './lib/table.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(values.rounds);

const windows = measureWindows(Math.max(rounds, 9));
console.log(
  formatTable(
    ['93,075 settled rates, windows of 24 h, 7 d, 30 d, 90 d and 5 years', 'ms'],
    [
      ['one plain pass over floats', toDigits(median(windows.map(({ floatMs }) => floatMs)))],
      ['exact, from prepared integers', toDigits(median(windows.map(({ exactMs }) => exactMs)))],
      ['examining all settled rates once per response', toDigits(median(windows.map(({ examineMs }) => examineMs)))],
    ],
  ),
);

const found = await findBrowser();
if ('problem' in found) throw new Error(found.problem);
for (const name of PAGES) await bundlePage(name);
await using served = await servePages();
const pages = await runRounds(PAGES, rounds, (name) => measureInPage(`${served.address}/${name}/`, name, found.path));
const figures = (name: PageName, read: (measured: PageMeasured) => number): number[] =>
  (pages.get(name) ?? []).map(read);
console.log(
  `\n${formatTable(
    ['medians', 'mount to painted ms', 'of it CPU ms', 'frame p95 ms', 'frame median ms', 'CPU a frame ms'],
    PAGES.map((name) => [
      name,
      ...[
        figures(name, (one) => one.mountMs),
        figures(name, (one) => one.mountCpuMs),
        figures(name, (one) => one.p95Ms),
        figures(name, (one) => one.medianMs),
        figures(name, (one) => one.cpuMs),
      ].map((all) => toDigits(median(all))),
    ]),
  )}`,
);

/** Returns the median of ratios within rounds, because load on the machine slows both sides of a round. */
function ratio(one: PageName, other: PageName, read: (measured: PageMeasured) => number): number {
  const others = figures(other, read);
  return median(figures(one, read).map((value, round) => value / (others[round] ?? Number.NaN)));
}

const atMost = (what: string, measured: number, limit: number, unit: string): Goal => ({
  what,
  measured,
  relation: 'at most',
  limit,
  unit,
});
publish(
  'funding',
  [
    atMost(
      '17 lines of 5,475 settled rates: mount to painted',
      ratio('chart', 'bare-chart', ({ mountMs }) => mountMs),
      1.2,
      'x bare library',
    ),
    atMost(
      'the same, CPU',
      ratio('chart', 'bare-chart', ({ mountCpuMs }) => mountCpuMs),
      1.2,
      'x bare library',
    ),
    atMost(
      'the same, panned: 95th percentile of frames',
      ratio('chart', 'bare-chart', ({ p95Ms }) => p95Ms),
      1.05,
      'x bare library',
    ),
    atMost(
      'the same, CPU a frame',
      ratio('chart', 'bare-chart', ({ cpuMs }) => cpuMs),
      1.05,
      'x bare library',
    ),
    atMost(
      'all windows of the comparison',
      median(windows.map(({ exactMs, floatMs }) => exactMs / floatMs)),
      2,
      'x plain float pass',
    ),
    atMost(
      'heatmap of 17 x 540 scrolled: 95th percentile of frames',
      median(figures('heatmap', ({ p95Ms }) => p95Ms)),
      17,
      'ms',
    ),
    atMost(
      'the same, beside an empty page',
      ratio('heatmap', 'empty', ({ p95Ms }) => p95Ms),
      17 / 16.7,
      'x empty page',
    ),
    atMost(
      'basis of 30 months over two years as a heatmap, scrolled: 95th percentile of frames',
      ratio('basis-heatmap', 'empty', ({ p95Ms }) => p95Ms),
      17 / 16.7,
      'x empty page',
    ),
  ],
  { windows, pages: Object.fromEntries(pages) },
);
