import { rankValues } from '#domain/funding/rank.ts';
import type { CompareRow } from './compare-row.ts';
import type { RankBy } from './compare-params.ts';

export const RANK_WORDS: Readonly<Record<RankBy, string>> = {
  rate: 'last settled rate, highest first, equal ones by mark over index',
  premium: 'mark over index at the last print, highest first',
  stability: 'standard deviation over the window, lowest first, equal ones by mark over index',
};

export interface RankedRow extends CompareRow {
  /** Its place among all; what is missing, or of an interval before that of others, has none. */
  readonly rank: number | null;
}

/** Equal ones share a rank; most rates are equal at the baseline, so among those the order is by premium, and then by name. */
export function rankRows(rows: readonly CompareRow[], by: RankBy): readonly RankedRow[] {
  const values = rows.map((row) => read(row, by)?.value ?? null);
  const ranks = rankValues(values, by === 'stability' ? 'lowest first' : 'highest first');
  return rows.map((row, index) => ({ ...row, rank: ranks[index] ?? null })).toSorted(byPremium);
}

function byPremium(a: CompareRow, b: CompareRow): number {
  const [one, other] = [a.premium?.value ?? null, b.premium?.value ?? null];
  // What has none stands last.
  const byValue = one === null || other === null ? Number(one === null) - Number(other === null) : other.comparedTo(one);
  if (byValue !== 0) return byValue;
  return a.symbol < b.symbol ? -1 : 1;
}

/** Those that have a rank: what has none is neither the best nor the worst of all. Where none has one, all as they come. */
export function firstToLast(rows: readonly RankedRow[]): readonly RankedRow[] {
  const ranked = rows.filter(({ rank }) => rank !== null).toSorted((a, b) => Number(a.rank) - Number(b.rank));
  return ranked.length > 0 ? ranked : rows;
}

function read(row: CompareRow, by: RankBy): CompareRow['settled'] {
  switch (by) {
    case 'rate':
      return row.settledBefore === null ? row.settled : null;
    case 'premium':
      return row.settledBefore === null ? row.premium : null;
    case 'stability':
      return row.chosen.deviation;
  }
}
