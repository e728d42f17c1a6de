import { toDigits, type Goal } from '../lib/report.ts';
import { median } from '../lib/statistics.ts';
import { formatTable } from '../lib/table.ts';
import type { Measured } from './measure.ts';

export const CONTENDERS = {
  floor: 'floor.ts',
  floorReact: 'floor-react.tsx',
  ours: 'ours.tsx',
  tanstack: 'tanstack.tsx',
  agGrid: 'ag-grid.tsx',
} as const;
export type ContenderName = keyof typeof CONTENDERS;

export type Results = ReadonlyMap<ContenderName, readonly Measured[]>;
export type Sizes = ReadonlyMap<ContenderName, number>;

type Read = (measured: Measured) => number;

const FIGURES: readonly (readonly [title: string, read: Read])[] = [
  ['first row ms', ({ firstRowMs }) => firstRowMs],
  ['load CPU ms', ({ loadCpuMs }) => loadCpuMs],
  ['fling p95 ms', ({ fling }) => fling.p95Ms],
  ['late %', ({ fling }) => fling.lateShare * 100],
  ['CPU/frame', ({ fling }) => fling.cpuMs],
  ['CPU/turn', ({ wheel }) => wheel.cpuMs],
  ['blank frames', ({ watched }) => watched.blank],
  ['update CPU', ({ update }) => update.cpuMs],
  ['painted ms', ({ update }) => update.paintMs],
  ['in frames', ({ update }) => update.frames],
  ['sort ms', ({ arrange }) => arrange.sort.paintMs],
  ['CPU', ({ arrange }) => arrange.sort.cpuMs],
  ['filter ms', ({ arrange }) => arrange.filter.paintMs],
  ['CPU', ({ arrange }) => arrange.filter.cpuMs],
  ['search ms', ({ arrange }) => arrange.search.paintMs],
  ['CPU', ({ arrange }) => arrange.search.cpuMs],
  ['heap MB', ({ heap }) => heap.loadedMb],
  ['scrolled MB', ({ heap }) => heap.scrolledMb],
];

export function printResults(results: Results, sizes: Sizes): void {
  const rows = [...results].map(([name, rounds]) => [
    name,
    ...FIGURES.map(([, read]) => toDigits(median(rounds.map(read)))),
    toDigits((sizes.get(name) ?? NaN) / 1_000),
  ]);
  console.log(formatTable(['medians', ...FIGURES.map(([title]) => title), 'JS kB'], rows));
}

/** Returns the median of the ratios within a round, because a slow machine slows both sides of a round. */
function ratio(results: Results, name: ContenderName, to: ContenderName, read: Read): number {
  const others = results.get(to) ?? [];
  return median(
    (results.get(name) ?? []).map(
      (measured, round) => read(measured) / (others[round] === undefined ? NaN : read(others[round])),
    ),
  );
}

export function toGoals(results: Results, sizes: Sizes, ownBytes: number): Goal[] {
  const ours = results.get('ours') ?? [];
  const atMost = (what: string, measured: number, limit: number, unit: string): Goal => ({
    what,
    measured,
    relation: 'at most',
    limit,
    unit,
  });
  const against = (what: string, to: ContenderName, limit: number, read: Read): Goal =>
    atMost(what, ratio(results, 'ours', to, read), limit, `x ${to}`);
  const size = (name: ContenderName): number => sizes.get(name) ?? NaN;
  return [
    against('first row painted', 'agGrid', 0.5, ({ firstRowMs }) => firstRowMs),
    against('first row painted', 'floorReact', 1.25, ({ firstRowMs }) => firstRowMs),
    against('fling: 95th percentile of frames', 'floor', 1.05, ({ fling }) => fling.p95Ms),
    atMost('fling: frames over 33 ms', median(ours.map(({ fling }) => fling.lateShare * 100)), 1, '%'),
    against('fling: CPU a frame', 'floor', 1.25, ({ fling }) => fling.cpuMs),
    against('fling: CPU a frame', 'agGrid', 0.25, ({ fling }) => fling.cpuMs),
    against('wheel: CPU a turn', 'floor', 1.25, ({ wheel }) => wheel.cpuMs),
    atMost(
      'wheel: frames shown with a blank row',
      ours.reduce((sum, { watched }) => sum + watched.blank, 0),
      0,
      '',
    ),
    against('update of 600 rows: CPU', 'floor', 1.25, ({ update }) => update.cpuMs),
    against('update of 600 rows: CPU', 'agGrid', 0.26, ({ update }) => update.cpuMs),
    atMost('update: frames until painted', median(ours.map(({ update }) => update.frames)), 1, ''),
    atMost('update: long tasks', median(ours.map(({ update }) => update.longTasks)), 0, ''),
    ...(['sort', 'filter', 'search'] as const).flatMap((step) => [
      against(`${step}, until painted`, 'agGrid', 0.25, ({ arrange }) => arrange[step].paintMs),
      against(`${step}, until painted`, 'floor', 1.4, ({ arrange }) => arrange[step].paintMs),
      against(`${step}: CPU`, 'agGrid', 0.25, ({ arrange }) => arrange[step].cpuMs),
      against(`${step}: CPU`, 'floor', 1.4, ({ arrange }) => arrange[step].cpuMs),
    ]),
    against('heap after load', 'agGrid', 0.45, ({ heap }) => heap.loadedMb),
    atMost(
      'heap after scrolling',
      median(ours.map(({ heap }) => heap.scrolledMb / heap.loadedMb)),
      1.05,
      'x after load',
    ),
    atMost('JavaScript of the page, brotli', size('ours') / size('agGrid'), 0.5, 'x agGrid'),
    atMost('JavaScript of the grid alone, brotli', ownBytes / 1_000, 12, 'kB'),
  ];
}
