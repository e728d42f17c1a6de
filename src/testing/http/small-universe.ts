import type { Account, Micros, Order, Product, Session, FundingInterval } from '#venue/core/model.ts';

export const DAY: Micros = 86_400_000_000;
const HOUR: Micros = DAY / 24;

export function at(text: string): Micros {
  return Date.parse(text) * 1_000;
}

/** Monday noon in Chicago's summer, 17:00 UTC: the session of the 17th is open until 21:00 UTC. */
export const START = at('2026-08-17T17:00:00Z');

const base = {
  contractSize: 1,
  contractSizeUnit: 'BTC',
  publishedIncrement: 5,
  priceQuotationUnit: 'USD per BTC',
  settlementMethod: 'Cash Settled',
  maxOrderQuantity: 1_000,
  minBlockSize: 10,
  tickE10: 50_000_000_000n,
  listedAt: at('2025-01-01T22:00:00Z'),
  expiresAt: null,
};

export const perpetual: Product = {
  ...base,
  id: 5614,
  symbol: 'PBTCUCZ50',
  baseSymbol: 'BTCUC',
  name: 'Perpetual Bitcoin',
  kind: 'perpetual',
};
/** The perpetual whose published tick size is 1000 times the true one. */
export const shiba: Product = {
  ...base,
  id: 5599,
  symbol: 'PSHBUNZ50',
  baseSymbol: 'SHBUN',
  name: 'Perpetual Shiba Inu',
  kind: 'perpetual',
  publishedIncrement: 0.000002,
  tickE10: 20n,
};
const dated = { ...base, baseSymbol: 'BUS', kind: 'future', month: 'U', year: 2026 } as const;
export const near: Product = {
  ...dated,
  id: 6001,
  symbol: 'BUSU26',
  name: 'Bitcoin September',
  expiresAt: at('2026-09-25T21:00:00Z'),
};
export const far: Product = {
  ...dated,
  id: 6002,
  symbol: 'BUSZ26',
  name: 'Bitcoin December',
  month: 'Z',
  expiresAt: at('2026-12-25T22:00:00Z'),
};
export const expired: Product = {
  ...dated,
  id: 6003,
  symbol: 'BUSM26',
  name: 'Bitcoin June',
  month: 'M',
  expiresAt: at('2026-06-26T21:00:00Z'),
};
export const forthcoming: Product = {
  ...dated,
  id: 6004,
  symbol: 'BUSH27',
  name: 'Bitcoin March',
  month: 'H',
  year: 2027,
  listedAt: at('2026-09-27T21:00:00Z'),
  expiresAt: at('2027-03-26T21:00:00Z'),
};
const legs = [
  { productId: near.id, weight: 1 },
  { productId: far.id, weight: -1 },
];
export const spread: Product = {
  ...base,
  id: 7001,
  symbol: 'BUSU26-BUSZ26',
  baseSymbol: 'BUS',
  name: 'Calendar spread',
  kind: 'spread',
  legs,
  expiresAt: near.expiresAt,
};
export const option: Product = {
  ...base,
  id: 8001,
  symbol: 'BUSU26C70000',
  baseSymbol: 'BUSO',
  name: 'Call on September',
  kind: 'option',
  underlyingId: near.id,
  strikeTicks: 14_000,
  optionType: 'call',
  expiresAt: near.expiresAt,
};

export const products: readonly Product[] = [shiba, perpetual, near, far, expired, forthcoming, spread, option];

export const ours: Account = { id: 'HALC-101', firm: 'HALC', connectionId: '3f' };
export const ourOther: Account = { id: 'HALC-102', firm: 'HALC', connectionId: '3f' };
export const theirs: Account = { id: 'NORD-101', firm: 'NORD', connectionId: 'a0' };

const FIRST_ID = 7_674_028_327_896_836_521n;

/** Creates the nth order. Without a time of its own, it is from n minutes before START. */
export function makeOrder(n: number, change: Partial<Order> = {}): Order {
  const timeNs = (BigInt(START) - BigInt(n) * 60_000_000n) * 1_000n + 496_334_704n;
  return {
    id: FIRST_ID + BigInt(n),
    openAckId: FIRST_ID + 1_000_000n + BigInt(n),
    timeNs,
    productId: perpetual.id,
    account: ours,
    side: n % 2 === 0 ? 'Bid' : 'Ask',
    price: 17_500 + (n % 50),
    requested: 10,
    timeInForce: 'GTC',
    filled: 0,
    filledTicks: 0,
    status: 'Working',
    lastModifiedNs: timeNs,
    ...change,
  };
}

/** Creates the session that settled `ago` days before the 17th. */
export function makeSession(product: Product, ago: number, change: Partial<Session> = {}): Session {
  const settledAt = at('2026-08-17T21:00:00Z') - ago * DAY;
  return {
    productId: product.id,
    date: new Date(settledAt / 1_000).toISOString().slice(0, 10),
    settledAt,
    ohlc: { open: 17_500, high: 17_600, low: 17_400, close: 17_550 },
    settlement: 17_540,
    volume: 45 + ago,
    cents: 393_750_000 + ago,
    openInterest: 392,
    openInterestCents: 33_806_080,
    ...change,
  };
}

/** Creates the interval that ended `ago` intervals before 16:00 UTC of the 17th. */
export function makeFunding(product: Product, ago: number, change: Partial<FundingInterval> = {}): FundingInterval {
  const end = at('2026-08-17T16:00:00Z') - ago * 8 * HOUR;
  return {
    productId: product.id,
    start: end - 8 * HOUR,
    end,
    index: 17_501,
    mark: 17_503,
    interestRate: 0.0001,
    rate: 0.000125,
    ...change,
  };
}
