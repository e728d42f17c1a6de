import { describe, expect, it } from 'vitest';
import type { DeskJournalPrices } from '#contract/desk/journal.ts';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import type { Sourced } from '../response.ts';
import { asTicks, toQuantity } from '../units/quantity.ts';
import { NO_CHANGES } from './price-change-names.ts';
import { TEST_SOURCE as source } from '#testing/test-source.ts';
import { createChangeJoin, type EarlierPrices, listComparedSessions } from './price-changes.ts';

const SATURDAY = '2026-11-28T20:00:00Z' as Instant;
const FRIDAY = '2026-11-27T22:00:00Z' as Instant;

function rowOf(type: string, settled: Instant | null, [last, settlement]: readonly [number, number]) {
  const prices = {
    last_price: last,
    last_price_time: SATURDAY,
    settlement_price: settlement,
    settlement_time: settled,
  };
  const read = (field: 'last_price' | 'settlement_price') =>
    toQuantity({ source, dataTime: settled }, prices as unknown as ProductData, field, asTicks);
  return {
    productId: 7,
    product: { type },
    settlementTime: settled,
    lastTime: SATURDAY,
    ticks: { last: read('last_price'), settlement: read('settlement_price') },
    missingBecause: null,
    changes: NO_CHANGES,
  };
}

const future = rowOf('future', FRIDAY, [130, 120]);

/** The settlement of the product in a session. */
function sessionOf(day: string, settlement: number | null): readonly [Day, Sourced<readonly ProductData[]>] {
  const at = settlement === null ? null : `${day}T22:00:00Z`;
  const row = { product_id: 7, settlement_price: settlement, settlement_time: at };
  return [day as Day, { ...source, value: [row as unknown as ProductData] }];
}

function recorded(last: number, at: string): EarlierPrices['dayAgo'] {
  const row = { product_id: 7, last_price: last, last_price_time: at, high_price: null, low_price: null };
  const value = { read_at: at, missing: null, prices: [row] } as unknown as DeskJournalPrices;
  return { ...source, value };
}

function changesOf(row: typeof future, earlier: Partial<EarlierPrices>) {
  const [joined] = createChangeJoin({ sessions: new Map(), dayAgo: undefined, ...earlier })([row]);
  return Object.fromEntries(
    Object.entries(joined?.changes ?? {}).map(([name, change]) => [
      name,
      change && (change.missingBecause ?? change.quantity.value?.toFixed(4) ?? change.quantity.withheld),
    ]),
  );
}

describe('the sessions that the newest settlements are compared with', () => {
  it('are those before, 7 and 30 days before; of a dated contract the last one until then, as it has none on weekends', () => {
    expect(listComparedSessions([future], ['settlementChange', 'change7d', 'change30d'])).toEqual([
      '2026-10-28',
      '2026-11-20',
      '2026-11-26',
    ]);
    expect(listComparedSessions([rowOf('future', '2026-11-24T22:00:00Z' as Instant, [1, 1])], ['change30d'])).toEqual([
      '2026-10-23',
    ]);
    expect(
      listComparedSessions([rowOf('perpetual', '2026-11-24T22:00:00Z' as Instant, [1, 1])], ['change30d']),
    ).toEqual(['2026-10-25']);
  });

  it('are as few for many products as for two, and none without a settlement or a change to show', () => {
    const older = rowOf('future', '2026-11-02T22:00:00Z' as Instant, [1, 1]);
    const many = Array.from({ length: 100 }, () => [future, older, rowOf('perpetual', FRIDAY, [1, 1])]).flat();
    expect(listComparedSessions(many, ['settlementChange'])).toEqual(['2026-11-26']);
    expect(listComparedSessions([rowOf('future', null, [1, 1])], ['settlementChange'])).toEqual([]);
    expect(listComparedSessions(many, [])).toEqual([]);
  });
});

describe('the changes', () => {
  it('are those of settlements, and of the last price against the one recorded a day ago', () => {
    const sessions = new Map([
      sessionOf('2026-11-26', 125),
      sessionOf('2026-11-20', 100),
      sessionOf('2026-10-28', 240),
    ]);
    expect(changesOf(future, { sessions, dayAgo: recorded(104, '2026-11-27T19:59:00Z') })).toEqual({
      settlementChange: '-0.0400',
      change7d: '0.2000',
      change30d: '-0.5000',
      change24h: '0.2500',
    });
  });

  it('are pending until what they compare with has been read', () => {
    expect(Object.values(changesOf(future, {}))).toEqual([null, null, null, null]);
  });

  it.each([
    ['a session could not be read', { missingBecause: 'No connection.' }, 'No connection.'],
    ['the product did not settle then', sessionOf('2026-11-26', null)[1], /no settlement of 26 Nov 2026/],
    ['the row is of another session', sessionOf('2026-11-25', 125)[1], /no settlement of 26 Nov 2026/],
    ['the price was not positive, as that of a spread may be', sessionOf('2026-11-26', -5)[1], undefined],
  ])('are missing where %s', (_, session, expected) => {
    const { settlementChange } = changesOf(future, { sessions: new Map([['2026-11-26' as Day, session]]) });
    if (expected === undefined) expect(settlementChange).toBeNull();
    else expect(settlementChange).toMatch(expected);
  });

  it('in 24 hours are missing where no price was recorded, or where there was no trade since', () => {
    const missing = 'No market prices have been recorded yet.';
    const nothing = { ...source, value: { read_at: null, missing, prices: [] } as DeskJournalPrices };
    expect(changesOf(future, { dayAgo: nothing })).toMatchObject({ change24h: missing });
    expect(changesOf(future, { dayAgo: recorded(104, SATURDAY) })).toMatchObject({
      change24h: 'There was no trade in the last 24 hours.',
    });
  });

  it('of a row stay the same object as long as the row does', () => {
    const join = createChangeJoin({ sessions: new Map(), dayAgo: undefined });
    expect(join([future])[0]).toBe(join([future, future])[1]);
  });
});
