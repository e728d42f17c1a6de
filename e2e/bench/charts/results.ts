import { type Goal, toDigits } from '../lib/report.ts';
import { median, quantile, toSpread } from '../lib/statistics.ts';
import { formatTable } from '../lib/table.ts';
import type { Contender } from './bundle.ts';
import type { Meter } from './measure.ts';

type Round = Awaited<ReturnType<Meter['measure']>>;
export type Results = ReadonlyMap<Contender, readonly Round[]>;

const LABELS: Readonly<Record<Contender, string>> = {
  bare: 'lightweight-charts alone',
  price: 'price screen, 10 years',
  lines: 'the library with five lines',
  indicators: 'price with five indicators',
  static: 'static table',
  markets: 'markets',
};

function roundsOf(results: Results, name: Contender): readonly Round[] {
  return results.get(name) ?? [];
}

function medianOf(results: Results, name: Contender, read: (round: Round) => number): number {
  return median(roundsOf(results, name).map(read));
}

const p95 =
  (motion: 'pan' | 'zoom') =>
  (round: Round): number =>
    quantile(round.moved?.[motion] ?? [], 0.95);

/** Frames that took over 1.5 times the median of the bare library's, of panning and zooming together. */
function countSlow(results: Results, name: Contender): number {
  const framesOf = ({ moved }: Round): readonly number[] => [...(moved?.pan ?? []), ...(moved?.zoom ?? [])];
  const usual = median(roundsOf(results, 'lines').flatMap(framesOf));
  return medianOf(results, name, (round) => framesOf(round).filter((each) => each > 1.5 * usual).length);
}

/** Tasks over 50 ms. */
const countLong = ({ moved }: Round): number => moved?.longTasks.length ?? 0;

/** Long tasks of the bare chart are caused by a busy machine or the library, so they are not counted. Both counts are printed. */
function countLongOver(results: Results): number {
  return Math.max(0, medianOf(results, 'price', countLong) - medianOf(results, 'bare', countLong));
}

export function printResults(results: Results): void {
  const rows = [...results].map(([name, rounds]) => {
    const wall = toSpread(rounds.map(({ wallMs }) => wallMs));
    const moved = (motion: 'pan' | 'zoom'): string =>
      rounds[0]?.moved ? toDigits(medianOf(results, name, p95(motion))) : '';
    return [
      LABELS[name],
      toDigits(wall.median),
      `${toDigits(wall.lowest)}-${toDigits(wall.highest)}`,
      toDigits(medianOf(results, name, ({ coreMs }) => coreMs)),
      moved('pan'),
      moved('zoom'),
      rounds[0]?.moved ? toDigits(medianOf(results, name, countLong)) : '',
    ];
  });
  console.log(
    'From mounting, or from receiving the responses, to painting, in milliseconds; frames while panning and zooming.\n',
  );
  console.log(formatTable(['', 'painted', 'spread', 'on the core', 'pan p95', 'zoom p95', 'long tasks a round'], rows));
}

export function toGoals(results: Results): readonly Goal[] {
  const ratio = (own: Contender, peer: Contender, read: (round: Round) => number): number =>
    medianOf(results, own, read) / medianOf(results, peer, read);
  const painted = ({ wallMs }: Round): number => wallMs;
  const most = (limit: number, unit: string) => ({ relation: 'at most', limit, unit }) as const;
  const price: Goal[] = !results.has('price')
    ? []
    : [
        { what: 'price: mounted to painted', measured: ratio('price', 'bare', painted), ...most(1.2, 'x bare') },
        {
          what: 'price: a frame of panning, p95',
          measured: ratio('price', 'bare', p95('pan')),
          ...most(1.05, 'x bare'),
        },
        {
          what: 'price: a frame of zooming, p95',
          measured: ratio('price', 'bare', p95('zoom')),
          ...most(1.05, 'x bare'),
        },
        {
          what: 'price: tasks over 50 ms while moving, over those of bare',
          measured: countLongOver(results),
          ...most(0, 'a round'),
        },
      ];
  const indicators: Goal[] = !results.has('indicators')
    ? []
    : [
        {
          what: `indicators: frames over 1.5 x the median, over the ${toDigits(countSlow(results, 'lines'))} of five lines`,
          measured: Math.max(0, countSlow(results, 'indicators') - countSlow(results, 'lines')),
          ...most(0, 'a round'),
        },
        {
          what: 'indicators: mounted to painted, without them',
          measured: ratio('indicators', 'price', painted),
          ...most(1.1, 'x price'),
        },
      ];
  const markets: Goal[] = !results.has('markets')
    ? []
    : [
        {
          what: 'markets: received to painted',
          measured: ratio('markets', 'static', painted),
          ...most(1.5, 'x static'),
        },
      ];
  return [...price, ...indicators, ...markets];
}
