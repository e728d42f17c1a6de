import type { FundingSide } from '../../funding/funding-side.ts';

/** The meaning of the sign, for a column of a file. */
export const SIGNS: Readonly<Record<FundingSide, string>> = {
  market: 'positive: longs pay shorts',
  long: 'positive: a long position receives',
  short: 'positive: a short position receives',
};

/** For the name of a file, before another part; nothing for the market’s own sign. */
export function nameSide(side: FundingSide): string {
  return side === 'market' ? '' : `${side}-`;
}
