import { expect, test } from 'vitest';
import type { ApiResponse } from '#api/api-response.ts';
import { ENDPOINTS } from '#contract/endpoints.ts';
import { createParser } from '#contract/parse.ts';
import type { NamedProduct } from '#domain/find-product.ts';
import { wireAnswers } from '#testing/sample-responses.ts';
import { toPriceFacts, type HeaderResponses } from './price-facts.ts';

const proof = { setAside: [], endpoint: 'chartPrice', target: '/api/web/charts/price/1', answeredAt: null, receivedAt: 0, ageSeconds: 3, cache: 'memory', requestId: null };
const answer = (value: unknown): ApiResponse<never> => ({ ...proof, value }) as unknown as ApiResponse<never>;
const [price] = wireAnswers.chartPrice;
const [voi] = wireAnswers.chartVoi;
const settledOn = (...dates: readonly string[]) =>
  createParser(ENDPOINTS.chartPrice.response, 'rows').tolerant(JSON.stringify(dates.map((date, at) => ({ ...price, date, time: `${date}T21:30:00.000000Z`, settlementPrice: `10${String(at)}.5` })))).value;
const tradedOn = (date: string, volume: number | null = 5) => createParser(ENDPOINTS.chartVoi.response, 'rows').tolerant(JSON.stringify([{ ...voi, date, volume }])).value;
const [prices, days] = [settledOn('2026-11-19', '2026-11-20'), tradedOn('2026-11-20')];
const { value: funding } = createParser(ENDPOINTS.fundingRates.response).tolerant(JSON.stringify(wireAnswers.fundingRates));
const answers: HeaderResponses = { data: undefined, prices: answer(prices), arePricesAll: false, voi: answer(days), stats: undefined, funding: answer(funding) };
const named = { product: { product_id: 5_599, type: 'perpetual', price_increment: 5 } } as unknown as NamedProduct;

test('every figure tells the day or the moment it is of, once where it is told in two units', () => {
  const told = toPriceFacts(named, answers).map(({ name, quantity, remark, at }) => `${name}, ${quantity.unit}: ${remark ?? at ?? 'the same'}`);
  expect(told).toEqual([
    'Last settlement, USD: 20 Nov 2026',
    'Settlement change, USD: since 19 Nov 2026',
    'Settlement change, fraction: the same',
    'Open interest, contracts: daily, 20 Nov 2026',
    'Open interest, USD: the same',
    'Funding mark, USD: 2026-08-17T08:00:00Z',
  ]);
});

test.each([
  [false, [], expect.stringContaining('has not been read')],
  [true, [], null],
  [true, [{ index: 0, row: {}, deviations: [] }], expect.stringContaining('has not been read')],
])('a funding mark is converted without a settlement only where there is none at all, and none that is not believed (%s, %j)', (arePricesAll, setAside, withheld) => {
  const mark = toPriceFacts(named, { ...answers, prices: { ...answer([]), setAside }, arePricesAll }).find(({ name }) => name === 'Funding mark');
  expect(mark?.quantity.withheld).toEqual(withheld);
});

/** Of the change between two settlements what is told, or why it is withheld. */
function changeOf(dates: readonly [string, string], voiRows: unknown) {
  const facts = toPriceFacts(named, { ...answers, prices: answer(settledOn(...dates)), voi: voiRows === undefined ? undefined : answer(voiRows) });
  return facts.flatMap(({ name, quantity: { value, withheld } }) => (name === 'Settlement change' ? [withheld ?? value?.toFixed(4)] : []));
}

test('a change over a session that traded at a settlement that is not known is withheld; one over a session without trades is not', () => {
  const unknown = 'The session of 19 Nov 2026 traded, and its settlement is not known, so those around it are not compared.';
  expect(changeOf(['2026-11-18', '2026-11-20'], tradedOn('2026-11-19'))).toEqual([unknown, unknown]);
  expect(changeOf(['2026-11-18', '2026-11-20'], tradedOn('2026-11-19', null))).toEqual(['1.0000', '0.0100']);
});

test('what traded between two settlements has to be read before they are compared, unless they are neighbours', () => {
  expect(changeOf(['2026-11-18', '2026-11-20'], undefined)).toEqual([expect.stringContaining('has not been read'), expect.anything()]);
  expect(changeOf(['2026-11-19', '2026-11-20'], undefined)).toEqual(['1.0000', '0.0100']);
});

test('what was read is told without the prices', () => {
  const told = toPriceFacts(named, { ...answers, prices: undefined, arePricesAll: true }).map(({ name, quantity }) => [name, quantity.withheld]);
  expect(told).toEqual([
    ['Open interest', null],
    ['Open interest', null],
    ['Funding mark', expect.stringContaining('has not been read')],
  ]);
});

/** What is told of the last trade, by a product with this increment. */
function lastOf(increment: number, wire: object | null) {
  const row = wire && createParser(ENDPOINTS.productData.response).tolerant(JSON.stringify({ ...wireAnswers.productData, ...wire })).value;
  const product = { product: { product_id: 5_599, type: 'perpetual', price_increment: increment } } as unknown as NamedProduct;
  return toPriceFacts(product, { ...answers, data: row ? answer(row) : undefined })
    .slice(0, 3)
    .map(({ name, quantity: { value, unit, withheld }, at }) => [name, unit, withheld ?? value?.toFixed() ?? null, at]);
}

const traded = { last_price: 21, last_price_time: '2026-11-20T23:00:00Z', settlement_price: 20, price_change: 1 };

test('the last trade and how far it is from the settlement come first, by the names that the list of markets has', () => {
  expect(lastOf(5, traded)).toEqual([
    ['Last', 'USD', '105', undefined],
    ['Since settlement', 'USD', '5', undefined],
    ['Since settlement', 'fraction', '0.05', undefined],
  ]);
});

test('a last trade in ticks that cannot be converted is withheld; how far it moved needs no increment', () => {
  expect(lastOf(5_000, traded).map(([name, , told]) => [name, told])).toEqual([
    ['Last', expect.stringContaining('prices in ticks are not converted')],
    ['Since settlement', expect.stringContaining('prices in ticks are not converted')],
    ['Since settlement', '0.05'],
  ]);
});

test('a last trade from before the settlement says when it was', () => {
  expect(lastOf(5, { ...traded, price_change: null }).map(([name, , , at]) => [name, at]).slice(0, 2)).toEqual([['Last', traded.last_price_time], ['Last settlement', undefined]]);
});

test('where nothing was traded there is no last price, and no change of it', () => {
  const [last, next] = lastOf(5, { last_price: null, last_price_time: null, settlement_price: 20, price_change: null });
  expect([last, next?.[0]]).toEqual([['Last', 'USD', null, undefined], 'Last settlement']);
  expect(lastOf(5, null)[0]?.[0]).toBe('Last settlement');
});
