import { rankValues } from '#domain/funding/rank.ts';
import type { NamedWindow } from '../windows.ts';
import type { CompareRow } from './compare-row.ts';
import type { RankBy } from '../compare-params.ts';

export interface RankedRow extends CompareRow {
  /** Null where the figure is missing, or older than that of other perpetuals. */
  readonly rank: number | null;
  /** How many other rows share its rank. */
  readonly tiedWith: number;
}

/** What the rows are ranked by, with the window where it is over one. */
export function describeRanking(by: RankBy, { id, label }: Pick<NamedWindow, 'id' | 'label'>): string {
  const period = id === 'custom' ? 'the custom range' : label;
  switch (by) {
    case 'realised':
      return `mean settled rate over ${period}, highest first`;
    case 'rate':
      return 'last settled rate, highest first';
    case 'premium':
      return 'premium at the last funding time, highest first';
    case 'stability':
      return `standard deviation over ${period}, lowest first`;
  }
}

/** Otherwise it is of the last funding time. */
export function isOverWindow(by: RankBy): boolean {
  return by === 'realised' || by === 'stability';
}

/** Equal values share a rank. Many rates tie at the interest rate, so ties are ordered by premium, then by symbol. */
export function rankRows(rows: readonly CompareRow[], by: RankBy): readonly RankedRow[] {
  const values = rows.map((row) => read(row, by)?.value ?? null);
  const ranks = rankValues(values, by === 'stability' ? 'lowest first' : 'highest first');
  const tiedWith = (rank: number | null): number => (rank === null ? 0 : ranks.filter((other) => other === rank).length - 1);
  return rows.map((row, index) => ({ ...row, rank: ranks[index] ?? null, tiedWith: tiedWith(ranks[index] ?? null) })).toSorted(byPremium);
}

function byPremium(a: CompareRow, b: CompareRow): number {
  const [one, other] = [a.premium?.value ?? null, b.premium?.value ?? null];
  // Without a premium: last.
  const byValue = one === null || other === null ? Number(one === null) - Number(other === null) : other.comparedTo(one);
  if (byValue !== 0) return byValue;
  return a.symbol < b.symbol ? -1 : 1;
}

/** The ranked rows, best first; all rows in their order where none is ranked. */
export function inRankOrder(rows: readonly RankedRow[]): readonly RankedRow[] {
  const ranked = rows.filter(({ rank }) => rank !== null).toSorted((a, b) => Number(a.rank) - Number(b.rank));
  return ranked.length > 0 ? ranked : rows;
}

function read(row: CompareRow, by: RankBy): CompareRow['settled'] {
  switch (by) {
    case 'realised':
      return isBehindIn(row) ? null : row.chosen.mean;
    case 'rate':
      return row.behindBecause === null ? row.settled : null;
    case 'premium':
      return row.behindBecause === null ? row.premium : null;
    case 'stability':
      return row.chosen.deviation;
  }
}

/** Whether the window goes on after the last settled rate of a perpetual that lags behind others. */
function isBehindIn({ behindBecause, series, chosen }: CompareRow): boolean {
  return behindBecause !== null && (series.prints.at(-1)?.end ?? 0) < chosen.window.to;
}
