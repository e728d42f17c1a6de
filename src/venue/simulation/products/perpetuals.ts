import { sessionAt } from '../../market/calendar.ts';
import type { Micros, Product } from '../../core/model.ts';

/** Id, base symbol, underlying, name, contract size, published increment in USD, largest order, smallest block. */
type PerpetualFacts = readonly [number, string, string, string, number, number, number, number];

/** The perpetuals of the real exchange, as it publishes them. */
const PERPETUALS: readonly PerpetualFacts[] = [
  [5599, 'SHBUN', 'SHIB', 'Perpetual Shiba Inu US Dollar Myra Future', 100000, 0.000002, 100000, 1500],
  [5603, 'BCHUS', 'BCH', 'Perpetual Bitcoin Cash US Dollar Standard Future', 1, 0.05, 100000, 500],
  [5604, 'XTZUK', 'XTZ', 'Perpetual Tezos US Dollar Kilo Future', 1000, 0.0001, 100000, 40],
  [5605, 'DOTUH', 'DOT', 'Perpetual Polkadot US Dollar Hecto Future', 500, 0.0005, 100000, 250],
  [5606, 'LTCUS', 'LTC', 'Perpetual Litecoin US Dollar Standard Future', 5, 0.01, 100000, 500],
  [5607, 'HBRUK', 'HBAR', 'Perpetual Hedera US Dollar Kilo Future', 5000, 0.00002, 100000, 150],
  [5608, 'ETHUI', 'ETH', 'Perpetual Ethereum US Dollar Deci Future', 0.5, 0.2, 1000, 500],
  [5609, 'SOLUS', 'SOL', 'Perpetual Solana US Dollar Standard Future', 5, 0.01, 100000, 500],
  [5610, 'XLMUK', 'XLM', 'Perpetual Stellar US Dollar Kilo Future', 5000, 0.00002, 100000, 150],
  [5611, 'ADAUK', 'ADA', 'Perpetual Cardano US Dollar Kilo Future', 5000, 0.00005, 100000, 250],
  [5612, 'LNKUD', 'LINK', 'Perpetual Chainlink US Dollar Deca Future', 50, 0.001, 100000, 1000],
  [5614, 'BTCUC', 'BTC', 'Perpetual Bitcoin US Dollar Centi Future', 0.01, 5, 10000, 250],
  [5615, 'DOGUK', 'DOGE', 'Perpetual Dogecoin US Dollar Kilo Future', 5000, 0.00001, 100000, 400],
  [5616, 'AVXUD', 'AVAX', 'Perpetual Avalanche US Dollar Deca Future', 50, 0.001, 100000, 200],
  [5617, 'AVEUS', 'AAVE', 'Perpetual Aave US Dollar Standard Future', 5, 0.01, 100000, 250],
  [5618, 'XRPUH', 'XRP', 'Perpetual XRP US Dollar Hecto Future', 500, 0.0001, 100000, 500],
  [6246, 'TRXUK', 'TRX', 'Perpetual Tron US Dollar Kilo Future', 1000, 0.00005, 100000, 40],
];

/**
 * The perpetual whose published tick size is 1000 times the true one.
 *
 * @internal Exported for its test.
 */
export const ODD_SCALE_ID = 5599;

/**
 * The newest perpetual.
 *
 * @internal Exported for its test.
 */
export const NEW_LAUNCH_ID = 6246;

const DAY = 86_400_000_000;
/** How long before genesis the newest perpetual was launched. */
const LAUNCH_AGE = 5 * DAY;
const ODD_SCALE = 1000n;

export interface PerpetualSettings {
  readonly historyStart: Micros;
  readonly genesis: Micros;
}

export function makePerpetuals({ historyStart, genesis }: PerpetualSettings): Product[] {
  const launch = sessionAt('daily', Math.max(historyStart, genesis - LAUNCH_AGE)).open;
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
