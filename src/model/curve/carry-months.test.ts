import { describe, expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Day } from '#contract/exchange/instant.ts';
import type { FundingRateData } from '#contract/exchange/market-data.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { parseKeepingDigits } from '#contract/parse/json-text.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import { createFundingSeries, type PerpetualSeries } from '../funding/funding-series.ts';
import { toDecimal } from '../units/decimal.ts';
import { type CarryDays, type CarryTerms, toCarryMonths, toPerpetualFunding } from './carry-months.ts';
import { toCurve } from './curve-months.ts';
import { TEST_SOURCE as source } from '#testing/test-source.ts';
import numbers from './carry-numbers.json' with { type: 'json' };

type Case = (typeof numbers.carries)[number];

/** A month and the perpetual of its underlying, as the exchange lists them. */
function curveOf(found: Case, changes: { readonly perpetualAt?: string } = {}) {
  const [month, perpetual] = [
    `{"product_id":2,"symbol":"BUSZ26","base_symbol":"BUS","type":"future","product_status":"active","month":"Z","year":2026,
      "contract_size":${found.contract_size},"contract_size_unit":"BTC","price_increment":${found.increment},"final_settle_time":"${found.expires_at}"}`,
    `{"product_id":1,"symbol":"PBTCUCZ50","type":"perpetual","product_status":"active","contract_size":0.01,
      "contract_size_unit":"BTC","price_increment":${found.perpetual_increment}}`,
  ];
  const rest = ['last_price', 'last_price_time', 'open_price', 'high_price', 'low_price', 'close_price', 'price_change']
    .concat(['settlement_price_comment', 'volume', 'notional_volume', 'block_volume', 'notional_block_volume'])
    .concat(['price_limit_upper', 'price_limit_lower'])
    .map((field) => `"${field}":null`)
    .join();
  const data = [
    `{"product_id":2,"settlement_price":${found.future_ticks},"settlement_time":"${found.settled_at}","open_interest":5,${rest}}`,
    `{"product_id":1,"settlement_price":${found.perpetual_ticks},"settlement_time":"${changes.perpetualAt ?? found.settled_at}","open_interest":9,${rest}}`,
  ];
  const curve = toCurve({
    directory: parseKeepingDigits(`[${month},${perpetual}]`) as readonly DeskProduct[],
    data: { ...source, value: parseKeepingDigits(`[${data.join()}]`) as readonly ProductData[] },
    underlying: 'BTC',
    session: found.settled_at.slice(0, 10) as Day,
  });
  if (curve === null) throw new Error('No curve');
  return curve;
}

function fundingOf({ prints, days, estimate }: Case, changes: { readonly rates?: Case['prints'] } = {}) {
  const rows = (changes.rates ?? prints).map(
    ({ start, end, rate, mark, index }) =>
      `{"product_id":1,"price_index":${index},"mark_price":${mark},"interest_rate":0.0001,"funding_rate":${rate},` +
      `"interval_start":"${start}","interval_end":"${end}"}`,
  );
  const series = createFundingSeries({
    prints: parseKeepingDigits(`[${rows.join()}]`) as readonly FundingRateData[],
    knownFrom: null,
    reachesLaunch: false,
  });
  const perpetual: PerpetualSeries = {
    symbol: 'BTCUC',
    productId: 1,
    row: { read_at: null } as DeskFunding['perpetuals'][number],
    series,
  };
  const predicted = parseKeepingDigits(
    `{"funding_rate":${estimate},"interval_start":"2026-08-17T08:00:00Z","interval_end":"2026-08-17T16:00:00Z"}`,
  );
  return toPerpetualFunding({
    perpetual,
    source,
    estimate: { ...source, value: predicted as never },
    days: String(days) as CarryDays,
  });
}

function carryOf(found: Case, terms: Partial<CarryTerms>, changes: Parameters<typeof curveOf>[1] = {}) {
  const { months, perpetual } = curveOf(found, changes);
  const chosen: CarryTerms = { choice: 'earning', unit: 'year', notional: toDecimal(found.notional), ...terms };
  const [carry] = toCarryMonths(months, perpetual, fundingOf(found), chosen);
  if (carry === undefined) throw new Error('No month');
  return carry;
}

const [contango] = numbers.carries as unknown as readonly [Case];

describe.each(numbers.carries)('carry in $name', (found) => {
  it.each(found.results)(
    'of the side $side in the unit $unit equals the results of an independent calculator',
    (result) => {
      const carry = carryOf(found, { choice: result.side as 'cash', unit: result.unit as 'year' });
      expect(carry.minutes).toBe(found.minutes);
      const { basis, inWindow, realisedFunding, predictedFunding, realised, predicted, least, most } = carry;
      const figures = { basis, inWindow, realisedFunding, predictedFunding, realised, predicted, least, most };
      const shown = Object.fromEntries(
        Object.entries(figures).map(([name, figure]) => [name, figure?.value?.toFixed(18)]),
      );
      const { unit, side, ...expected } = result;
      expect(shown).toEqual(expected);
      expect(new Set(Object.values(figures).map((figure) => figure?.unit))).toEqual(
        new Set([unit === 'year' ? 'fraction' : 'USD']),
      );
      expect(carry.side).toBe(side);
    },
  );

  it('is by default of the side that earned', () => {
    const { side, realised } = carryOf(found, {});
    expect(side).toBe(found.earning);
    expect(realised?.value?.isNegative()).toBe(false);
  });

  it('counts the rates behind the funding, and those that are missing', () => {
    const { rates, intervals, premium } = fundingOf(found);
    expect([rates, premium?.count, intervals]).toEqual([found.rates, found.rates, found.days * 3]);
  });
});

it('says what it is computed from', () => {
  const { realised } = carryOf(contango, { choice: 'cash' });
  const texts = JSON.stringify(realised);
  expect(texts).toContain('Settlement of BUSZ26 − settlement of PBTCUCZ50');
  expect(texts).toContain('Mean of 82 settled rates of 30 days × 1095 (3 × 365)');
  expect(texts).toContain('a long perpetual pays it');
  expect(JSON.stringify(carryOf(contango, { unit: 'contract' }).inWindow)).toContain(
    'Sum of 82 of 90 settled rates in 30 days',
  );
});

it('refuses settlements of different sessions, and says both times', () => {
  const carry = carryOf(contango, {}, { perpetualAt: '2026-08-13T21:00:00Z' });
  expect([carry.basis, carry.realised, carry.least]).toEqual([null, null, null]);
  expect(carry.refusedBecause).toBe(
    'BUSZ26 settled on 14 Aug 2026, 21:00 UTC, and PBTCUCZ50 on 13 Aug 2026, 21:00 UTC: a basis needs both ' +
      'settlements of the same minute.',
  );
});

it('refuses an increment ten times wrong', () => {
  const carry = carryOf({ ...contango, increment: '50' }, { unit: 'contract' });
  expect([carry.basis, carry.realised]).toEqual([null, null]);
  expect(carry.refusedBecause).toContain('one of the tick sizes must be wrong');
});

it('has no funding, which is not zero, without a settled rate in the window', () => {
  const { months, perpetual } = curveOf(contango);
  const funding = fundingOf(contango, { rates: [] });
  const terms: CarryTerms = { choice: 'earning', unit: 'year', notional: toDecimal('1') };
  const [carry] = toCarryMonths(months, perpetual, funding, terms);
  expect([carry?.inWindow, carry?.realisedFunding, carry?.realised, carry?.refusedBecause]).toEqual([
    null,
    null,
    null,
    'No rate of the perpetual settled in this window.',
  ]);
  expect(carry?.predicted?.value).not.toBeNull();
});

it('gives USD but no figure a year under three days to expiry', () => {
  const near = { ...contango, expires_at: '2026-08-16T21:00:00Z' };
  expect(carryOf(near, {}).realised).toBeNull();
  expect(carryOf(near, {}).refusedBecause).toContain('not scaled to a year under 3 days');
  expect(carryOf(near, { unit: 'contract' }).basis?.value?.toFixed()).toBe('2600');
  expect(carryOf(near, { unit: 'contract' }).refusedBecause).toBeNull();
});
