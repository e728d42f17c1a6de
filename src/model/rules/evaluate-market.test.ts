import { describe, expect, it } from 'vitest';
import { DeskProducts } from '#contract/desk/desk.ts';
import type { MarketRule } from '#contract/desk/rules.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { NO_REASONS, type PriceChecks } from '../checks/judge-prices.ts';
import { toDecimal } from '../units/decimal.ts';
import { createCrossings } from './crossings.ts';
import { describeReading } from './describe-rule.ts';
import { evaluateMarket } from './evaluate-market.ts';
import { isMissing, type MarketReading, type SubjectReading } from './readings.ts';

const DAY = '2026-11-30T';
const at = (time: string): number => Date.parse(`${DAY}${time}Z`);

const rule = (some: object): MarketRule => ({
  ...{ id: 'r', name: 'R', enabled: true, severity: 'info', channels: [], for_seconds: 0, about: 'market' },
  ...{ measure: 'price', filter: { symbols: ['BUSZ26'] }, comparison: 'over', value: 110_000, unit: 'USD' },
  ...some,
});

const [spec] = sampleResponses.productSpecs;
const [row] = sampleResponses.productDataAll;
const { products } = createParser(DeskProducts, 'products').strict(
  JSON.stringify({
    source: 'product/specs',
    read_at: `${DAY}00:00:00Z`,
    products: ['BUSZ26', 'BUSX26', 'BUSF27'].map((symbol, index) => ({
      ...{ ...spec, product_id: 101 + index, symbol, price_increment: 5 },
      product_status: symbol === 'BUSF27' ? 'expired' : 'active',
    })),
  }),
);

/** Trades of BUSZ26 at a price in ticks of 5 USD; none if null. */
function marketAt(ticks: number | null, time: string, reasons: PriceChecks['reasons'] = NO_REASONS): MarketReading {
  const traded = {
    last_price: ticks,
    last_price_time: ticks === null ? null : time,
    low_price: null,
    high_price: null,
  };
  const data = createParser(ENDPOINTS.productDataAll.response).strict(
    JSON.stringify([
      { ...row, product_id: 101, ...traded },
      { ...row, product_id: 102, ...traded },
    ]),
  );
  const check = { verdict: 'unchecked', comparison: null, reason: null } as const;
  return {
    products,
    checksOf: () => ({ checks: { comparisons: [], reasons }, check }),
    data: {
      ...{ endpoint: 'productDataAll', target: '', respondedAt: null, receivedAt: 0, ageSeconds: 0 },
      ...{ cache: 'unknown', requestId: null, value: data },
    },
  };
}

function evaluated(given: MarketRule, market: MarketReading, now = at('13:42:00')): readonly SubjectReading[] {
  const found = evaluateMarket(given, market, { now });
  if (isMissing(found)) throw new Error(found.missing);
  return found;
}

describe('a price level', () => {
  it.each([
    ['over', 21_999, false],
    ['over', 22_000, false],
    ['over', 22_001, true],
    ['under', 22_000, false],
    ['under', 21_999, true],
  ] as const)('%s 110,000 USD at %d ticks of 5 USD: %s', (comparison, ticks, holds) => {
    expect(evaluated(rule({ comparison }), marketAt(ticks, `${DAY}13:41:05Z`))).toMatchObject([
      { group: 'BUSZ26', holds },
    ]);
  });

  it('says the price of the last trade and when that was, with the day if it was another', () => {
    const sentenceAt = (time: string): readonly string[] =>
      evaluated(rule({}), marketAt(22_024, time)).map((reading) => describeReading(rule({}), reading));
    expect(sentenceAt(`${DAY}13:41:05Z`)).toEqual(['Price of BUSZ26: 110,120 USD at 13:41:05 UTC, over 110,000 USD.']);
    expect(sentenceAt('2026-11-28T13:41:05Z')).toEqual([
      'Price of BUSZ26: 110,120 USD at 2026-11-28 13:41:05 UTC, over 110,000 USD.',
    ]);
  });

  it('is not met without a trade, and unknown with the reason where the price is withheld', () => {
    const [untraded] = evaluated(rule({}), marketAt(null, ''));
    expect(untraded).toMatchObject({ holds: false, value: null });
    expect(untraded && describeReading(rule({}), untraded)).toBe(
      'BUSZ26: no price. The exchange publishes no value of it.',
    );
    const doubted = marketAt(22_024, `${DAY}13:41:05Z`, new Map([['prices', 'It stands alone.']]));
    expect(evaluated(rule({}), doubted)).toMatchObject([{ holds: null, value: null, because: 'It stands alone.' }]);
  });

  it('is watched for the products that the rule lists; one that is not listed as active is named', () => {
    const given = rule({ filter: { symbols: ['busz26', 'BUSF27'] } });
    expect(evaluated(given, marketAt(22_024, `${DAY}13:41:05Z`))).toMatchObject([
      { group: 'BUSZ26', holds: true },
      { group: 'BUSF27', holds: false, because: 'The exchange does not list it as active.' },
    ]);
  });
});

describe('a crossing', () => {
  const crossing = rule({ comparison: 'crosses' });

  /** Evaluates successive readings, each a price in ticks and the time of its trade and of the reading. */
  function follow(readings: readonly (readonly [ticks: number, time: string])[]) {
    const crossings = createCrossings(toDecimal('110000'));
    return readings.map(([ticks, time]) => {
      const found = evaluateMarket(crossing, marketAt(ticks, `${DAY}${time}Z`), { now: at(time), crossings });
      const [reading] = isMissing(found) ? [] : found;
      return [reading?.holds, reading && describeReading(crossing, reading)];
    });
  }

  it('is a change of side between two readings, and says both', () => {
    expect(
      follow([
        [21_974, '13:41:05'],
        [22_024, '13:41:10'],
      ]),
    ).toEqual([
      [false, 'BUSZ26 has not crossed 110,000 in the last 5 minutes: 109,870 at 13:41:05 UTC.'],
      [true, 'BUSZ26 crossed 110,000: 109,870 at 13:41:05, 110,120 at 13:41:10 UTC.'],
    ]);
  });

  it('counts for five minutes; a price at the level is on neither side', () => {
    const found = follow([
      [22_024, '13:00:00'],
      [22_000, '13:01:00'],
      [22_010, '13:02:00'],
      [22_000, '13:03:00'],
      [21_990, '13:04:00'],
      [21_980, '13:08:59'],
      [21_980, '13:09:00'],
    ]);
    expect(found.map(([holds]) => holds)).toEqual([false, false, false, false, true, true, false]);
    expect(found[5]?.[1]).toBe('BUSZ26 crossed 110,000: 110,050 at 13:02:00, 109,950 at 13:04:00 UTC.');
  });
});
