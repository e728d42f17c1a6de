import { expect, test } from 'vitest';
import type { ApiResponse } from '../../response.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import { whyWithheld } from '../../checks/judge-prices.ts';
import type { NamedProduct } from '../../products/product-directory.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { checkHeader, toPriceFacts, type HeaderResponses } from './price-facts.ts';

const provenance = {
  setAside: [],
  endpoint: 'chartPrice',
  target: '/api/web/charts/price/1',
  respondedAt: null,
  receivedAt: 0,
  ageSeconds: 3,
  cache: 'hit',
  requestId: null,
};
const response = (value: unknown): ApiResponse<never> => ({ ...provenance, value }) as unknown as ApiResponse<never>;
const [price] = sampleResponses.chartPrice;
const [voi] = sampleResponses.chartVoi;
const settledOn = (...dates: readonly string[]) =>
  createParser(ENDPOINTS.chartPrice.response, 'rows').tolerant(
    JSON.stringify(
      dates.map((date, at) => ({
        ...price,
        date,
        time: `${date}T21:30:00.000000Z`,
        ohlc: { open: '100.0', high: '103.0', low: '100.0', close: '101.0', volume: 45 },
        settlementPrice: `10${String(at)}.5`,
      })),
    ),
  ).value;
const tradedOn = (date: string, volume: number | null = 45) =>
  createParser(ENDPOINTS.chartVoi.response, 'rows').tolerant(JSON.stringify([{ ...voi, date, volume }])).value;
const [prices, days] = [settledOn('2026-11-19', '2026-11-20'), tradedOn('2026-11-20')];
const { value: funding } = createParser(ENDPOINTS.fundingRates.response).tolerant(
  JSON.stringify(sampleResponses.fundingRates),
);
const responses: HeaderResponses = {
  data: null,
  prices: response(prices),
  isWholeHistory: false,
  voi: response(days),
  stats: undefined,
  sessions: null,
  funding: response(funding),
  estimate: null,
  settledSession: null,
};
const named = { product: { product_id: 5_599, type: 'perpetual', price_increment: 5 } } as unknown as NamedProduct;

test('every figure has its day or time, once where it has two units', () => {
  const shown = toPriceFacts(named, responses).map(
    ({ name, quantity, remark, at }) => `${name}, ${quantity.unit}: ${remark ?? at ?? 'the same'}`,
  );
  expect(shown).toEqual([
    'Settlement, USD: 20 Nov 2026',
    'Settlement change, USD: 19 → 20 Nov 2026',
    'Settlement change, fraction: the same',
    '7 d / 30 d change, fraction: the same',
    '7 d / 30 d change, fraction: the same',
    'Open interest, contracts: 20 Nov 2026',
    'Open interest, USD: the same',
    'Last funding, per interval: to',
    'Index at last funding, USD: 2026-08-17T08:00:00Z',
    'Mark at last funding, USD: 2026-08-17T08:00:00Z',
    'Premium at last funding, fraction: 2026-08-17T08:00:00Z',
  ]);
});

test.each([
  [false, [], expect.stringContaining('has been read')],
  [true, [], null],
  [true, [{ index: 0, row: {}, deviations: [] }], expect.stringContaining('has been read')],
])(
  'without a settlement the funding mark is converted only where the whole history has no prices, not even invalid ones (%s, %j)',
  (isWholeHistory, setAside, withheld) => {
    const mark = toPriceFacts(named, { ...responses, prices: { ...response([]), setAside }, isWholeHistory }).find(
      ({ name }) => name === 'Mark at last funding',
    );
    expect(mark?.quantity.withheld).toEqual(withheld);
  },
);

/** Returns the change between two settlements, or why it is withheld. */
function changeOf(dates: readonly [string, string], voiRows: unknown) {
  const facts = toPriceFacts(named, {
    ...responses,
    prices: response(settledOn(...dates)),
    voi: voiRows === undefined ? undefined : response(voiRows),
  });
  return facts.flatMap(({ name, quantity: { value, withheld } }) =>
    name === 'Settlement change' ? [withheld ?? value?.toFixed(4)] : [],
  );
}

test('a change across a session whose settlement is unknown is withheld; one across a session without trades is not', () => {
  const unknown =
    'There were trades in the session of 19 Nov 2026, but its settlement is unknown, so the settlements around it are not compared.';
  expect(changeOf(['2026-11-18', '2026-11-20'], tradedOn('2026-11-19'))).toEqual([unknown, unknown]);
  expect(changeOf(['2026-11-18', '2026-11-20'], tradedOn('2026-11-19', null))).toEqual(['1.0000', '0.0100']);
});

test('two settlements are compared only once the volume between them has been read, unless their sessions are consecutive', () => {
  expect(changeOf(['2026-11-18', '2026-11-20'], undefined)).toEqual([
    expect.stringContaining('has not been read'),
    expect.anything(),
  ]);
  expect(changeOf(['2026-11-19', '2026-11-20'], undefined)).toEqual(['1.0000', '0.0100']);
});

/** Returns the changes over 7 and 30 days, each with how it was computed. */
function changesOver(type: string, ...dates: readonly string[]) {
  const product = { product: { ...named.product, type } } as unknown as NamedProduct;
  return toPriceFacts(product, { ...responses, prices: response(settledOn(...dates)) }).flatMap(
    ({ name, quantity: { value, provenance: origin } }) =>
      name === '7 d / 30 d change' ? [[value?.toFixed(4) ?? null, 'how' in origin ? origin.how : null]] : [],
  );
}

test('changes over 7 and 30 days are between settlements, of dated contracts on weekdays', () => {
  // 101.5 to 102.5, and 100.5 to 102.5.
  expect(changesOver('perpetual', '2026-10-21', '2026-11-13', '2026-11-20')).toEqual([
    ['0.0099', 'Settlement of 2026-11-20 vs. settlement of 2026-11-13.'],
    ['0.0199', 'Settlement of 2026-11-20 vs. settlement of 2026-10-21.'],
  ]);
  // 30 days before 17 November was a Sunday.
  expect(changesOver('future', '2026-10-16', '2026-11-17')).toEqual([
    [null, 'Settlement of 2026-11-17 vs. settlement of 2026-11-10, which is not among the prices that were read.'],
    ['0.0100', 'Settlement of 2026-11-17 vs. settlement of 2026-10-16.'],
  ]);
});

test('the other figures are shown without the prices', () => {
  const shown = toPriceFacts(named, { ...responses, prices: undefined, isWholeHistory: true }).map(
    ({ name, quantity }) => [name, quantity.withheld],
  );
  expect(shown).toEqual([
    ['Open interest', null],
    ['Open interest', null],
    ['Last funding', null],
    ['Index at last funding', expect.stringContaining('has been read')],
    ['Mark at last funding', expect.stringContaining('has been read')],
    ['Premium at last funding', null],
  ]);
});

/** Returns the last trade’s figures for a product with this tick size. */
function lastOf(tickSize: number, wire: object | null) {
  const row =
    wire &&
    createParser(ENDPOINTS.productData.response).tolerant(JSON.stringify({ ...sampleResponses.productData, ...wire }))
      .value;
  const product = {
    product: { product_id: 5_599, type: 'perpetual', price_increment: tickSize },
  } as unknown as NamedProduct;
  return toPriceFacts(product, { ...responses, data: row ? response(row) : null })
    .slice(0, 3)
    .map(({ name, quantity: { value, unit, withheld }, at }) => [name, unit, withheld ?? value?.toFixed() ?? null, at]);
}

/** The chart’s settlement of the session is 101.5, which is 20.3 ticks of 5. */
const traded = {
  last_price: 21,
  last_price_time: '2026-11-20T23:00:00Z',
  settlement_time: '2026-11-20T22:00:00Z',
  settlement_price: 20.3,
  price_change: 0.7,
  low_price: 20,
  high_price: 22,
};

test('the last price and its change from the settlement come first, named as on Markets', () => {
  expect(lastOf(5, traded)).toEqual([
    ['Last', 'USD', '105', undefined],
    ['Chg since settle', 'USD', '3.5', undefined],
    ['Chg since settle', 'fraction', expect.stringMatching(/^0\.0344/), undefined],
  ]);
});

test('a last price in ticks that cannot be converted is withheld; its percent change needs no tick size', () => {
  expect(lastOf(5_000, traded).map(([name, , text]) => [name, text])).toEqual([
    ['Last', expect.stringContaining('prices in ticks are not converted')],
    ['Chg since settle', expect.stringContaining('prices in ticks are not converted')],
    ['Chg since settle', expect.stringMatching(/^0\.0344/)],
  ]);
});

test('a last trade from before the settlement has its time', () => {
  expect(
    lastOf(5, { ...traded, price_change: null })
      .map(([name, , , at]) => [name, at])
      .slice(0, 2),
  ).toEqual([
    ['Last', traded.last_price_time],
    ['Settlement', undefined],
  ]);
});

test('the last price has the time of its trade, by which it ages', () => {
  const row = createParser(ENDPOINTS.productData.response).tolerant(
    JSON.stringify({ ...sampleResponses.productData, ...traded }),
  ).value;
  const product = { product: { product_id: 5_599, type: 'perpetual', price_increment: 5 } } as unknown as NamedProduct;
  const facts = row ? toPriceFacts(product, { ...responses, data: response(row) }) : [];
  expect(facts.flatMap(({ name, tradedAt }) => (tradedAt === undefined ? [] : [[name, tradedAt]]))).toEqual([
    ['Last', traded.last_price_time],
  ]);
});

test('without a trade there is no last price and no change', () => {
  const [last, next] = lastOf(5, {
    last_price: null,
    last_price_time: null,
    settlement_price: 20.3,
    settlement_time: '2026-11-20T22:00:00Z',
    price_change: null,
  });
  expect([last, next?.[0]]).toEqual([['Last', 'USD', null, undefined], 'Settlement']);
  expect(lastOf(5, null)[0]?.[0]).toBe('Settlement');
});

test('a contract size that contradicts the values in USD is withheld with them, each reason once', () => {
  const day = {
    ...voi,
    date: '2026-11-20',
    productId: 5_599,
    volume: 45,
    notionalVolume: 45_675,
    openInterest: 10,
    notionalOpenInterest: 10_150,
  };
  const rows = createParser(ENDPOINTS.chartVoi.response, 'rows').tolerant(JSON.stringify([day])).value;
  const read = {
    ...responses,
    voi: response(rows),
    funding: undefined,
    stats: response({ productId: 5_599, volume: 1, notionalVolume: 10 }),
  };
  const withSize = (contract_size: number) =>
    ({
      product: { product_id: 5_599, type: 'perpetual', price_increment: 5, contract_size },
    }) as unknown as NamedProduct;
  const withheldOf = (size: number) =>
    toPriceFacts(withSize(size), read).flatMap(({ name, quantity: { unit, withheld } }) =>
      withheld?.includes('contract size') ? [`${name}, ${unit}`] : [],
    );
  expect([withheldOf(0.1), withheldOf(1)]).toEqual([[], ['24 h volume, USD', 'Open interest, USD']]);
  expect(whyWithheld(checkHeader(withSize(1), read).reasons, 'contract size')).toMatch(
    /^The published contract size, 1, gives about 10 times the exchange’s own USD values of 20 Nov 2026/,
  );
});
