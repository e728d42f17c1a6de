import { sessionAt } from '../market/calendar.ts';
import type { Micros, Product } from '../model.ts';
import { NEW_LAUNCH_ID, ODD_SCALE_ID, PERPETUALS, type PerpetualFacts } from './perpetual-facts.ts';

const DAY = 86_400_000_000;
/** The newest perpetual was launched so long before the exchange's story begins to be live. */
const LAUNCHED_BEFORE = 5 * DAY;
const ODD_SCALE = 1000n;

export interface PerpetualSettings {
  readonly historyStart: Micros;
  readonly genesis: Micros;
}

export function makePerpetuals({ historyStart, genesis }: PerpetualSettings): Product[] {
  const launch = sessionAt('daily', Math.max(historyStart, genesis - LAUNCHED_BEFORE)).open;
  return PERPETUALS.map((facts) => makePerpetual(facts, facts[0] === NEW_LAUNCH_ID ? launch : historyStart));
}

function makePerpetual(facts: PerpetualFacts, listedAt: Micros): Product {
  const [id, baseSymbol, unit, name, contractSize, publishedIncrement, maxOrderQuantity, minBlockSize] = facts;
  const publishedE10 = BigInt(Math.round(publishedIncrement * 1e10));
  return {
    id,
    symbol: `P${baseSymbol}Z50`,
    baseSymbol,
    name,
    kind: 'perpetual',
    contractSize,
    contractSizeUnit: unit,
    publishedIncrement,
    priceQuotationUnit: `USD per ${unit}`,
    settlementMethod: 'Cash Settled',
    maxOrderQuantity,
    minBlockSize,
    tickE10: id === ODD_SCALE_ID ? publishedE10 / ODD_SCALE : publishedE10,
    listedAt,
    expiresAt: null,
  };
}
