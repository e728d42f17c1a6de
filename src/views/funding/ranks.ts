import { rankValues } from '#domain/funding/rank.ts';
import type { CompareRow } from './compare-row.ts';
import type { RankBy } from './compare-params.ts';

export const RANK_WORDS: Readonly<Record<RankBy, string>> = {
  rate: 'last settled rate, highest first',
  premium: 'premium over the interest rate, highest first',
  stability: 'standard deviation over the window, lowest first',
};

export interface RankedRow extends CompareRow {
  /** Its place among all; what is missing has none. */
  readonly rank: number | null;
}

export function rankRows(rows: readonly CompareRow[], by: RankBy): readonly RankedRow[] {
  const values = rows.map((row) => read(row, by)?.value ?? null);
  const ranks = rankValues(values, by === 'stability' ? 'lowest first' : 'highest first');
  return rows.map((row, index) => ({ ...row, rank: ranks[index] ?? null }));
}

function read(row: CompareRow, by: RankBy): CompareRow['settled'] {
  switch (by) {
    case 'rate':
      return row.settled;
    case 'premium':
      return row.premium;
    case 'stability':
      return row.deviation;
  }
}
