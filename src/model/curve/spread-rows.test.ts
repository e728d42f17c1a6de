import { expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { parseKeepingDigits } from '#contract/parse/json-text.ts';
import { toLastPrices } from '../markets/market-prices.ts';
import { byIncrement, toQuantity } from '../units/quantity.ts';
import { describeApart, toSpreadRows } from './spread-rows.ts';
import { TEST_SOURCE as source } from '#testing/test-source.ts';
import numbers from './carry-numbers.json' with { type: 'json' };

const FRIDAY = '2026-08-14T21:00:00Z' as Instant;

type Case = (typeof numbers.spreads)[number];

interface Changes {
  readonly type?: string;
  readonly unit?: string;
  /** When each leg settled, in their order. */
  readonly legsAt?: readonly string[];
  readonly spreadAt?: string;
  readonly isPriced?: boolean;
  /** When each leg traded last, in their order; null: never. */
  readonly lastsAt?: readonly (string | null)[];
}

function rowsOf(found: Case, changes: Changes = {}) {
  const { type = 'future', unit = 'BTC', legsAt = [], spreadAt = FRIDAY, isPriced = true, lastsAt = [] } = changes;
  const legs = found.legs.map(
    ({ increment }, place) =>
      `{"product_id":${String(place)},"symbol":"LEG${String(place)}","type":"${type}","product_status":"active",` +
      `"contract_size_unit":"${unit}","price_increment":${increment}}`,
  );
  const weights = found.legs.map(({ weight }, place) => `{"product_id":${String(place)},"weight":${weight}}`);
  const spread = `{"product_id":9,"symbol":"LEG0-LEG1","type":"spread","product_status":"active","contract_size_unit":"BTC","price_increment":${found.increment},"legs":[${weights.join()}]}`;
  const price = (id: number, ticks: string | null, last: string | null, at: string, lastAt: string | null): string =>
    `{"product_id":${String(id)},"settlement_price":${ticks ?? 'null'},"settlement_time":${ticks === null ? 'null' : `"${at}"`},` +
    `"last_price":${last ?? 'null'},"last_price_time":${JSON.stringify(lastAt)},"low_price":null,"high_price":null,"price_change":null}`;
  const data = parseKeepingDigits(
    `[${[
      ...found.legs.map(({ ticks, last_ticks: last }, place) => {
        const lastAt = lastsAt[place] === undefined ? FRIDAY : lastsAt[place];
        return price(place, ticks, lastAt === null ? null : last, legsAt[place] ?? FRIDAY, lastAt);
      }),
      isPriced
        ? price(9, found.settlement_ticks, found.last_ticks, spreadAt, FRIDAY)
        : price(9, null, null, spreadAt, null),
    ].join()}]`,
  ) as readonly ProductData[];
  return toSpreadRows(
    'BTC',
    parseKeepingDigits(`[${[...legs, spread].join()}]`) as readonly DeskProduct[],
    (product) => {
      const row = data.find(({ product_id: id }) => String(id) === String(product.product_id));
      const conversion = byIncrement(product, null);
      if (row === undefined || conversion === null) throw new Error('No price');
      const at = { source, dataTime: row.settlement_time };
      return {
        ...toLastPrices(source, row, conversion),
        settlement: row.settlement_price === null ? null : toQuantity(at, row, 'settlement_price', conversion),
        settlementTime: row.settlement_time,
        missingBecause: null,
      };
    },
  );
}

const [agreeing] = numbers.spreads as unknown as readonly [Case];

it.each(numbers.spreads)('a spread that $name equals the results of an independent calculator', (found) => {
  const [row] = rowsOf(found);
  const { legsUsd, gap } = row?.lastPrices ?? {};
  const ofSettlements = [row?.legsUsd, row?.settlementGap?.usd, row?.settlementGap?.ticks];
  const figures = [...ofSettlements, legsUsd, gap?.usd, gap?.ticks];
  expect(figures.map((figure) => figure?.value?.toFixed(18))).toEqual([
    found.legsUsd,
    found.settlementGapUsd,
    found.settlementGapTicks,
    found.legsLastUsd,
    found.lastGapUsd,
    found.lastGapTicks,
  ]);
  expect([row?.settlementGap?.isApart, row?.missingBecause]).toEqual([found.isApart, null]);
});

it('says how the legs are added, with their weights', () => {
  const weighted = numbers.spreads.at(-1);
  if (weighted === undefined) throw new Error('No spread');
  expect(rowsOf(weighted)[0]?.legsUsd?.provenance).toMatchObject({ how: '2 × LEG0 − 3 × LEG1, settlements in USD' });
});

it('has no difference of legs that settled in different sessions, and says so', () => {
  const [row] = rowsOf(agreeing, { legsAt: [FRIDAY, '2026-08-13T21:00:00Z'] });
  expect([row?.legsUsd, row?.settlementGap]).toEqual([null, null]);
  expect(row?.missingBecause).toBe(
    'LEG0 settled on 14 Aug 2026, 21:00 UTC and LEG1 on 13 Aug 2026, 21:00 UTC: settlements of different sessions ' +
      'have no difference.',
  );
});

it('does not compare its settlement with one of another session, and says so', () => {
  const [row] = rowsOf(agreeing, { spreadAt: '2026-08-13T21:00:00Z' });
  expect(row?.settlementGap).toBeNull();
  expect(row?.legsUsd?.value?.toFixed()).toBe('-1725');
  expect(row?.missingBecause).toBe(
    'LEG0-LEG1 settled on 13 Aug 2026, 21:00 UTC and its legs on 14 Aug 2026, 21:00 UTC, so these settlements are ' +
      'not compared.',
  );
});

it('shows how old the oldest of the last trades is, and how far they are apart', () => {
  const of = (...lastsAt: readonly string[]) => rowsOf(agreeing, { lastsAt })[0]?.lastPrices;
  expect(of('2026-08-14T20:15:00Z', '2026-08-14T20:40:00Z')).toMatchObject({
    ...{ oldestAt: '2026-08-14T20:15:00Z', minutesApart: 45, missingBecause: null },
    trades: [
      { name: 'LEG0-LEG1', at: FRIDAY },
      { name: 'LEG0', at: '2026-08-14T20:15:00Z' },
      { name: 'LEG1', at: '2026-08-14T20:40:00Z' },
    ],
  });
  expect(of(FRIDAY, '2026-08-14T21:00:00.5Z')).toMatchObject({ oldestAt: FRIDAY, minutesApart: 0 });
});

it('does not compare last prices if one of them is missing, and says which', () => {
  const { legsUsd, gap, oldestAt, missingBecause } = rowsOf(agreeing, { lastsAt: [FRIDAY, null] })[0]?.lastPrices ?? {};
  expect([legsUsd, gap, oldestAt]).toEqual([null, null, null]);
  expect(missingBecause).toBe('LEG1 has no last price, so last prices are not compared.');
});

it('says by how much a spread settled away from its legs', () => {
  expect(numbers.spreads.map((found) => rowsOf(found).map(describeApart))).toEqual([
    [null],
    [null],
    ['LEG0-LEG1 settled 5.0 ticks (25 USD) above the difference of its legs.'],
    ['LEG0-LEG1 settled 2,355.1 ticks (117.755 USD) below the difference of its legs.'],
  ]);
});

it('says that a spread is listed without a price', () => {
  const [row] = rowsOf(agreeing, { isPriced: false });
  expect(row?.settlementGap).toBeNull();
  expect(row?.missingBecause).toBe('LEG0-LEG1 is listed without a price.');
  expect(row?.lastPrices.missingBecause).toBe('LEG0-LEG1 has no last price, so last prices are not compared.');
});

it('lists only spreads whose legs are months or perpetuals of the underlying', () => {
  expect(rowsOf(agreeing, { type: 'perpetual' })).toHaveLength(1);
  expect(rowsOf(agreeing, { type: 'option' })).toEqual([]);
  expect(rowsOf(agreeing, { unit: 'ETH' })).toEqual([]);
});
