import type { Product } from '../../core/model.ts';
import { expiryOfMonth, stepInCycle, type Month } from './contract-months.ts';
import { datedId, IDS_PER_MONTH, monthCode, seriesFacts, OPTIONS, type Series } from './dated-products.ts';

const STRIKES_EACH_WAY = 3;
/** Distance between strikes, as a share of the price. */
const STRIKE_STEP = 0.05;
const ROUND_STRIKE = 1_000;

/** Calls and puts around the price at announcement, on the contract of that month. */
export function makeOptionChain(series: Series, month: Month, spot: number): Product[] {
  const step = Math.max(1, Math.round((spot * STRIKE_STEP) / ROUND_STRIKE)) * ROUND_STRIKE;
  const middle = Math.round(spot / step) * step;
  const strikes = Array.from({ length: 2 * STRIKES_EACH_WAY + 1 }, (_, at) => middle + (at - STRIKES_EACH_WAY) * step);
  return strikes.flatMap((strike, at) => [
    makeOption(series, month, { strike, type: 'call', place: 2 * at }),
    makeOption(series, month, { strike, type: 'put', place: 2 * at + 1 }),
  ]);
}

/** One option, the call with the highest strike, has no quotes and no trades. */
export function isDormant({ id, kind }: Product): boolean {
  return kind === 'option' && (id - datedId(0, OPTIONS)) % IDS_PER_MONTH === 4 * STRIKES_EACH_WAY;
}

interface Terms {
  readonly strike: number;
  readonly type: 'call' | 'put';
  readonly place: number;
}

function makeOption(series: Series, month: Month, { strike, type, place }: Terms): Product {
  const letter = type === 'call' ? 'C' : 'P';
  return {
    ...seriesFacts(series),
    id: datedId(month, OPTIONS + place),
    symbol: `${series.base}${monthCode(month)}-${letter}${strike}`,
    name: `${series.title} ${monthCode(month)} ${strike} ${type === 'call' ? 'Call' : 'Put'}`,
    kind: 'option',
    listedAt: expiryOfMonth(stepInCycle(month, -1)),
    expiresAt: expiryOfMonth(month),
    underlyingId: datedId(month, series.place),
    strikeTicks: Math.round(strike / series.increment),
    optionType: type,
  };
}
