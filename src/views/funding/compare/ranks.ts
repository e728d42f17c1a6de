import { rankValues } from '#domain/funding/rank.ts';
import type { CompareRow } from './compare-row.ts';
import type { RankBy } from '../compare-params.ts';

export const RANK_LABELS: Readonly<Record<RankBy, string>> = {
  rate: 'settled rate, highest first; ties by premium',
  premium: 'premium at the last funding time, highest first',
  stability: 'standard deviation over the window, lowest first; ties by premium',
};

export interface RankedRow extends CompareRow {
  /** Null where the figure is missing, or older than that of other perpetuals. */
  readonly rank: number | null;
}

/** Equal values share a rank. Many rates tie at the interest rate, so ties are ordered by premium, then by symbol. */
export function rankRows(rows: readonly CompareRow[], by: RankBy): readonly RankedRow[] {
  const values = rows.map((row) => read(row, by)?.value ?? null);
  const ranks = rankValues(values, by === 'stability' ? 'lowest first' : 'highest first');
  return rows.map((row, index) => ({ ...row, rank: ranks[index] ?? null })).toSorted(byPremium);
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
    case 'rate':
      return row.behindBecause === null ? row.settled : null;
    case 'premium':
      return row.behindBecause === null ? row.premium : null;
    case 'stability':
      return row.chosen.deviation;
  }
}
