import { expect, it } from 'vitest';
import type { Instant } from '#contract/exchange/instant.ts';
import { createParser } from '#contract/parse/parse.ts';
import { PriceDataPoint } from '#contract/exchange/market-data.ts';
import { list } from '#contract/exchange/schema.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { toLifeSettlements } from './life-settlements.ts';
import type { LifeChange } from './order-life.ts';

const source = {
  endpoint: 'chartPrice',
  target: '/api/web/charts/price/1',
  respondedAt: null,
  receivedAt: 0,
  ageSeconds: 0,
  cache: 'miss',
  requestId: null,
} as const;
const parser = createParser(list(PriceDataPoint));

/** Makes sessions that settle at 21:00 UTC. */
function settled(prices: Readonly<Record<string, string>>) {
  const points = Object.entries(prices).map(([date, settlementPrice]) => ({
    ...sampleResponses.chartPrice[0],
    date,
    time: `${date}T21:00:00Z`,
    settlementPrice,
  }));
  return { ...source, value: parser.strict(JSON.stringify(points)) };
}

const WEEK = settled({
  '2026-08-16': '5.00',
  '2026-08-17': '6.00',
  '2026-08-18': '8.00',
  '2026-08-19': '10.00',
  '2026-08-20': '20.00',
});

/** Prices of product 1 are 0.05 USD a tick. */
function lifeOf(fields: object, prices: readonly (readonly [readBy: string, ticks: number])[], product = 1) {
  const rows = prices.map(([readBy, price]) => {
    const [row] = toRows(readOrders([{ product_id: product, price, ...fields }]));
    if (row === undefined) throw new Error('no row');
    return {
      row,
      change: {
        kind: 'changed',
        readAfter: null,
        readBy: readBy as Instant,
        before: null,
        order: row.order,
        fields: [],
        sinceMs: null,
      } satisfies LifeChange,
    };
  });
  const [first] = rows;
  if (first === undefined) throw new Error('no change');
  return { changes: rows.map(({ change }) => change), context: first.row };
}

const LINE = { start: Date.parse('2026-08-18T09:00:00Z'), end: Date.parse('2026-08-20T12:00:00Z') };

function textsOf({ changes, context }: ReturnType<typeof lifeOf>) {
  return toLifeSettlements(WEEK, changes, LINE, context).map(({ date, settlement, limit, away }) =>
    [date, settlement, limit, away]
      .map((one) =>
        one === null ? null : typeof one === 'string' ? one : `${one.value?.toFixed() ?? '–'} ${one.unit}`,
      )
      .join(', '),
  );
}

it('a life has the settlement before it and those until its end, with the limit price of that time', () => {
  const bid = lifeOf({ side: 'Bid' }, [
    ['2026-08-18T09:00:00Z', 90],
    ['2026-08-19T20:59:00Z', 180],
    ['2026-08-20T11:00:00Z', 190],
  ]);
  expect(textsOf(bid)).toEqual([
    '2026-08-19, 10 USD, 9 USD, 0.1 fraction',
    '2026-08-18, 8 USD, 4.5 USD, 0.4375 fraction',
    '2026-08-17, 6 USD, 4.5 USD, 0.25 fraction',
  ]);
});

it('an ask is away above the settlement', () => {
  expect(textsOf(lifeOf({ side: 'Ask' }, [['2026-08-18T09:00:00Z', 220]]))[0]).toBe(
    '2026-08-19, 10 USD, 11 USD, 0.1 fraction',
  );
});

it('a spread is away in USD, since a share of a difference says nothing', () => {
  expect(textsOf(lifeOf({ side: 'Bid', product_type: 'Spread' }, [['2026-08-18T09:00:00Z', 90]]))[0]).toBe(
    '2026-08-19, 10 USD, 4.5 USD, 5.5 USD',
  );
});

it('without a tick size the limit stays in ticks, and no distance is computed', () => {
  expect(textsOf(lifeOf({ side: 'Bid' }, [['2026-08-18T09:00:00Z', 90]], 4))[0]).toMatch(
    /^2026-08-19, 10 USD, 90 ticks, $/,
  );
});

it('a product that settles later than the order was seen has none', () => {
  const { changes, context } = lifeOf({ side: 'Bid' }, [['2026-08-18T09:00:00Z', 90]]);
  expect(toLifeSettlements(settled({ '2026-08-21': '1.00' }), changes, LINE, context)).toEqual([]);
});
