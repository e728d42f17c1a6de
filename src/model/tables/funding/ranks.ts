import type { FundingSide } from '../../funding/funding-side.ts';
import { type RankOrder, rankValues } from '../../funding/rank.ts';
import { toYearPercentile } from '../../funding/year-percentile.ts';
import type { Decimal } from '../../units/decimal.ts';
import type { NamedWindow } from './windows.ts';
import type { CompareRow } from './compare-row.ts';
import type { RankBy } from './compare-params.ts';

export interface RankedRow extends CompareRow {
  /** Null where the figure is missing, or older than that of other perpetuals. */
  readonly rank: number | null;
  /** How many other rows share its rank. */
  readonly tiedWith: number;
}

interface Ranking {
  readonly what: string;
  readonly order: RankOrder;
  /** Null where it is missing, or older than that of other perpetuals. */
  readonly read: (row: CompareRow, side: FundingSide) => Decimal | null;
  /** Over the chosen window; otherwise of one interval. */
  readonly isOverWindow: boolean;
  /** Its lowest values stand out as much as its highest. */
  readonly hasTwoEnds: boolean;
}

const isOfOneInterval = { order: 'highest first', isOverWindow: false, hasTwoEnds: true } as const;
const isOfWindow = { ...isOfOneInterval, isOverWindow: true } as const;

const RANKS: Readonly<Record<RankBy, Ranking>> = {
  realised: {
    ...isOfWindow,
    what: 'mean settled rate',
    read: (row) => (isBehindIn(row) ? null : row.chosen.mean.value),
  },
  premium: {
    ...isOfOneInterval,
    what: 'premium at the last funding time',
    read: (row) => ofLatest(row, row.premium?.value),
  },
  stability: {
    ...isOfWindow,
    what: 'standard deviation',
    order: 'lowest first',
    hasTwoEnds: false,
    read: ({ chosen }) => chosen.deviation.value,
  },
  rate: { ...isOfOneInterval, what: 'last settled rate', read: (row) => ofLatest(row, row.settled?.value) },
  excess: {
    ...isOfOneInterval,
    what: 'size of last settled rate − interest rate',
    hasTwoEnds: false,
    read: (row) => ofLatest(row, row.excess?.value?.abs()),
  },
  percentile: {
    ...isOfOneInterval,
    what: 'percentile of the last settled rate in its year',
    read: (row, side) => ofLatest(row, toYearPercentile(row.row.year_rank, side)),
  },
  predicted: {
    ...isOfOneInterval,
    what: 'predicted rate',
    read: ({ estimate, latestEstimate, interval }) =>
      latestEstimate?.value.interval_end === interval?.interval_end ? (estimate?.value ?? null) : null,
  },
};

type Period = Pick<NamedWindow, 'id' | 'label'>;

/** What the rows are ranked by, with the window where it is over one. */
export function describeRanking(by: RankBy, period: Period): string {
  const { what, isOverWindow: isOver, order } = RANKS[by];
  return `${what}${isOver ? ` over ${namePeriod(period)}` : ''}, ${order}`;
}

/** The same without what the control beside it names. */
export function describeOrder(by: RankBy, period: Period): string {
  return `${RANKS[by].isOverWindow ? `over ${namePeriod(period)}, ` : ''}${RANKS[by].order}`;
}

function namePeriod({ id, label }: Period): string {
  return id === 'custom' ? 'the custom range' : label;
}

export function isOverWindow(by: RankBy): boolean {
  return RANKS[by].isOverWindow;
}

function ofLatest({ behindBecause }: CompareRow, value: Decimal | null = null): Decimal | null {
  return behindBecause === null ? value : null;
}

/** Equal values share a rank. Many rates tie at the interest rate, so ties are ordered by premium, then by symbol. */
export function rankRows(rows: readonly CompareRow[], by: RankBy, side: FundingSide): readonly RankedRow[] {
  const { read, order } = RANKS[by];
  const ranks = rankValues(
    rows.map((row) => read(row, side)),
    order,
  );
  const tiedWith = (rank: number | null): number =>
    rank === null ? 0 : ranks.filter((other) => other === rank).length - 1;
  return rows
    .map((row, index) => ({ ...row, rank: ranks[index] ?? null, tiedWith: tiedWith(ranks[index] ?? null) }))
    .toSorted(byPremium);
}

function byPremium(a: CompareRow, b: CompareRow): number {
  const [one, other] = [a.premium?.value ?? null, b.premium?.value ?? null];
  // Without a premium: last.
  const byValue =
    one === null || other === null ? Number(one === null) - Number(other === null) : other.comparedTo(one);
  if (byValue !== 0) return byValue;
  return a.symbol < b.symbol ? -1 : 1;
}

/** What is charted while nothing is selected. */
interface DefaultChart {
  readonly rows: readonly RankedRow[];
  /** How they were found, in words. */
  readonly how: string;
}

const [HIGHEST, LOWEST] = [3, 2] as const;

/** The ends of the ranking, where something is going on; of those that are tied only the first, since equal lines hide each other. */
export function chooseCharted(rows: readonly RankedRow[], by: RankBy): DefaultChart {
  const ranked = rows.filter(({ rank }) => rank !== null).toSorted((a, b) => Number(a.rank) - Number(b.rank));
  const most = HIGHEST + LOWEST;
  if (ranked.length === 0) return { rows: rows.slice(0, most), how: 'none is ranked' };
  const distinct = ranked.filter(({ rank }, at) => rank !== ranked[at - 1]?.rank);
  if (distinct.length <= most)
    return { rows: distinct, how: distinct.length === ranked.length ? 'all that are ranked' : 'one of each rank' };
  if (!RANKS[by].hasTwoEnds)
    return { rows: distinct.slice(0, most), how: nameTies(`first ${String(most)} by rank`, ranked, distinct) };
  return {
    rows: [...distinct.slice(0, HIGHEST), ...distinct.slice(-LOWEST)],
    how: nameTies(`first ${String(HIGHEST)} and last ${String(LOWEST)} by rank`, ranked, distinct),
  };
}

function nameTies(which: string, ranked: readonly RankedRow[], distinct: readonly RankedRow[]): string {
  return distinct.length === ranked.length ? which : `${which}, one per tie`;
}

/** Whether the window goes on after the last settled rate of a perpetual that lags behind others. */
function isBehindIn({ behindBecause, series, chosen }: CompareRow): boolean {
  return behindBecause !== null && (series.prints.at(-1)?.end ?? 0) < chosen.window.to;
}
