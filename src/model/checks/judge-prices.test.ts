import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { createParser } from '#contract/parse/parse.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import type { ProductEvidence } from './facts.ts';
import { judgePrices, whyWithheld, type Suspect } from './judge-prices.ts';

/**
 * A sound perpetual: 0.1 coins per contract and 0.2 USD per tick. It settled at 26,505 ticks, which is 5,301 USD, and
 * traded between 26,000 and 27,000 ticks, at 26,500 on average.
 */
const SETTLED = '2026-11-24';
const product = { product_id: 7, symbol: 'PETHUIZ50', type: 'perpetual', contract_size: 0.1, price_increment: 0.2 };
const data = {
  ...sampleResponses.productData,
  product_id: 7,
  last_price: 26_510,
  last_price_time: '2026-11-25T01:00:00Z',
  settlement_price: 26_505,
  low_price: 26_000,
  high_price: 27_000,
  volume: 100,
  notional_volume: 5_300_000,
};
const settled = { ...data, settlement_time: `${SETTLED}T22:00:00Z` };
const day = {
  date: SETTLED,
  productId: 7,
  baseSymbol: 'ETHUI',
  volume: 100,
  notionalVolume: 5_300_000,
  openInterest: 1_000,
  notionalOpenInterest: 53_010_000,
};
const point = {
  date: SETTLED,
  time: `${SETTLED}T22:00:00Z`,
  ohlc: { open: '5200.0', high: '5400.0', low: '5200.0', close: '5310.0', volume: 100 },
  settlementPrice: '5301.0000000000',
};
const trailing = { productId: 7, volume: 200, notionalVolume: 106_000 };
const respondedAt = '2026-11-25T06:00:00Z' as Instant;

interface Wire {
  readonly product: object;
  readonly days: readonly object[];
  readonly sessions: readonly object[];
  readonly running: object;
  readonly trailing: object;
  readonly prices: readonly object[];
}

const sound: Wire = { product, days: [day], sessions: [settled], running: settled, trailing, prices: [] };
const withChart: Wire = { ...sound, prices: [point] };

function parse(
  name: 'chartVoi' | 'productDataAll' | 'trailingStatsAll' | 'chartPrice',
  rows: readonly object[],
): readonly unknown[] {
  const { value, setAside } = createParser(ENDPOINTS[name].response).tolerant(JSON.stringify(rows));
  if (value === null || setAside.length > 0) throw new Error(`${name}: the rows of the test are invalid`);
  return value;
}

function toEvidence(wire: Wire): ProductEvidence {
  const [running] = parse('productDataAll', [wire.running]) as readonly NonNullable<ProductEvidence['running']>[];
  const [stats] = parse('trailingStatsAll', [wire.trailing]) as readonly NonNullable<ProductEvidence['trailing']>[];
  return {
    product: wire.product as DeskProduct,
    days: parse('chartVoi', wire.days) as ProductEvidence['days'],
    sessions: parse('productDataAll', wire.sessions) as ProductEvidence['sessions'],
    running,
    trailing: stats,
    trailingAt: respondedAt,
    prices: parse('chartPrice', wire.prices) as ProductEvidence['prices'],
    latestPrint: undefined,
  };
}

function judge(wire: Wire) {
  const { comparisons, reasons } = judgePrices(toEvidence(wire));
  return {
    done: comparisons.map(({ check, passed }) => `${check} ${passed ? 'passed' : 'failed'}`),
    suspects: [...reasons.keys()],
    reason: [...reasons.values()][0] ?? null,
  };
}

test('a sound product passes every check that its responses allow', () => {
  expect(judge(sound)).toEqual({
    done: [
      'openInterestValue passed',
      'settlementOfDay passed',
      'sessionVolume passed',
      'sessionPrice passed',
      'trailingPrice passed',
      'runningVolume passed',
    ],
    suspects: [],
    reason: null,
  });
  expect(judge(withChart).done).toEqual([
    'chartSettlement passed',
    'openInterestValue passed',
    'chartOpenInterest passed',
    'settlementOfDay passed',
    'sessionVolume passed',
    'candleVolume passed',
    'sessionPrice passed',
    'trailingPrice passed',
    'runningVolume passed',
  ]);
});

describe.each([
  ['on lists', sound],
  ['with a chart', withChart],
] as const)('%s', (_, wire) => {
  it.each([1.05, 1.5, 0.8, 0.5, 2, 1_000, 0.001])('a tick size that is off by a factor of %d is found', (factor) => {
    const found = judge({ ...wire, product: { ...product, price_increment: 0.2 * factor } });
    expect(found.suspects).toEqual(wire === withChart ? ['tick size'] : ['tick size', 'contract size']);
    const offBy =
      wire === withChart
        ? 'gives about .* the exchange’s own USD price'
        : 'or contract size, 0.1, looks wrong: together they imply about .* the exchange’s own USD values';
    expect(found.reason).toMatch(
      new RegExp(
        `^The published tick size, [\\d.]+ USD, ${offBy} of 24 Nov 2026, so prices in ticks are not converted( and USD values are withheld)?\\.$`,
      ),
    );
  });

  it.each([100, 3, 0.01, 1.2])(
    'a 24 h value that is off by a factor of %d is found, and nothing else doubted',
    (factor) => {
      const found = judge({ ...wire, trailing: { ...trailing, notionalVolume: Math.round(106_000 * factor) } });
      expect(found.suspects).toEqual(['24 h value']);
      expect(found.reason).toContain('The USD value of the 24 h volume is about');
    },
  );

  it('daily values in dollars instead of cents are found, and the tick size is not blamed', () => {
    const found = judge({ ...wire, days: [{ ...day, notionalVolume: 53_000, notionalOpenInterest: 530_100 }] });
    expect(found.suspects).toEqual(['open interest value', 'volume value']);
    expect(found.reason).toBe(
      'The USD value of open interest of 24 Nov 2026 is about 1/100 of what the exchange’s other figures imply, so it is withheld.',
    );
  });

  it('daily values that are off do not hide a tick size that is off', () => {
    const wrong = {
      ...wire,
      product: { ...product, price_increment: 200 },
      days: [{ ...day, notionalVolume: 53_000, notionalOpenInterest: 530_100 }],
    };
    expect(judge(wrong).suspects.toSorted()).toEqual([
      ...(wire === withChart ? [] : ['contract size']),
      'open interest value',
      'tick size',
      'volume value',
    ]);
  });

  it('daily values that are off do not hide a 24 h value that is off', () => {
    const wrong = {
      ...wire,
      trailing: { ...trailing, notionalVolume: 10_600_000 },
      days: [{ ...day, volume: 200, notionalVolume: 10_600_000 }],
    };
    expect(judge(wrong).suspects.toSorted()).toEqual([
      '24 h value',
      '24 h volume',
      ...(wire === withChart ? [] : ['session value', 'session volume']),
      'volume',
      'volume value',
    ]);
  });

  it('an open interest that is off is distinguished from a wrong tick size by the trades, and its value by the contracts in the product data', () => {
    const wrong = { ...wire, days: [{ ...day, notionalOpenInterest: 530_100 }] };
    expect(judge(wrong).suspects).toEqual(['open interest value', 'open interest']);
    expect(judge({ ...wrong, sessions: [{ ...settled, open_interest: 1_000 }] }).suspects).toEqual([
      'open interest value',
    ]);
  });

  it('negative values are found: only those of a spread may be', () => {
    expect(judge({ ...wire, days: [{ ...day, notionalOpenInterest: -53_010_000 }] })).toMatchObject({
      suspects: ['open interest value'],
      reason: 'The USD value of open interest of 24 Nov 2026 is negative, so it is withheld.',
    });
    expect(judge({ ...wire, trailing: { ...trailing, notionalVolume: -106_000 } })).toMatchObject({
      suspects: ['24 h value'],
      reason: 'The USD value of the 24 h volume is negative, so it is withheld.',
    });
    expect(
      judge({ ...wire, product: { ...product, type: 'spread' }, trailing: { ...trailing, notionalVolume: -106_000 } })
        .suspects,
    ).toEqual([]);
  });

  it('a value of daily volume that alone is off is found', () => {
    const found = judge({ ...wire, days: [{ ...day, notionalVolume: 53_000 }] });
    expect(found).toMatchObject({
      suspects: ['volume value'],
      reason:
        'The USD value of daily volume of 24 Nov 2026 is about 1/100 of what the exchange’s other figures imply, so it is withheld.',
    });
  });
});

it('a contract size that is off is found where a chart has the price', () => {
  const found = judge({ ...withChart, product: { ...product, contract_size: 1 } });
  expect(found).toMatchObject({
    suspects: ['contract size'],
    reason:
      'The published contract size, 1, gives about 10 times the exchange’s own USD values of 24 Nov 2026, so these and figures computed with it are withheld.',
  });
  expect(withheldBy('contract size')).toEqual([
    'contract size',
    'notionalVolume',
    'notionalOpenInterest',
    '24 h USD value',
  ]);
});

it('a tick size that is off does not hide a contract size that is off, where a chart has the price', () => {
  expect(judge({ ...withChart, product: { ...product, contract_size: 1, price_increment: 1 } }).suspects).toEqual([
    'tick size',
    'contract size',
  ]);
});

it('without a chart a contract size that is off cannot be distinguished from a tick size, and what is computed with either is withheld', () => {
  expect(judge({ ...sound, product: { ...product, contract_size: 1 } })).toMatchObject({
    suspects: ['tick size', 'contract size'],
    reason:
      'The published tick size, 0.2 USD, or contract size, 1, looks wrong: together they imply about 10 times the exchange’s own USD values of 24 Nov 2026, so prices in ticks are not converted and USD values are withheld.',
  });
  expect(withheldBy('tick size')).toEqual(['price in ticks']);
});

function withheldBy(suspect: Suspect) {
  const figures = [
    'price in ticks',
    'product data price',
    'contract size',
    'notionalVolume',
    'notionalOpenInterest',
    '24 h USD value',
    'chart price',
    'mark',
  ] as const;
  return figures.filter((figure) => whyWithheld(new Map([[suspect, 'It is off.']]), figure) !== null);
}

it('a mean price outside of the chart’s range does not blame the tick size, which is not in it', () => {
  const unsettled = {
    ...withChart,
    running: { ...settled, settlement_time: null, settlement_price: null },
    sessions: [],
  };
  expect(judge({ ...unsettled, days: [{ ...day, notionalVolume: 530_000 }] }).suspects).toEqual(['volume value']);
});

it('a chart that alone is off is found', () => {
  const found = judge({ ...withChart, prices: [{ ...point, settlementPrice: '5401.0000000000' }] });
  expect(found.suspects).toEqual(['chart']);
});

it('a chart that alone is off is found before the open interest of its newest session is published', () => {
  const points = [SETTLED, '2026-11-25'].map((date) => ({ ...point, date, time: `${date}T22:00:00Z` }));
  const evening = {
    ...withChart,
    sessions: [],
    running: { ...settled, settlement_time: '2026-11-25T22:00:00Z' },
    prices: points,
  };
  expect(judge(evening).suspects).toEqual([]);
  expect(
    judge({ ...evening, prices: points.map((one) => ({ ...one, settlementPrice: '5566.0500000000' })) }).suspects,
  ).toEqual(['chart']);
  expect(judge({ ...evening, product: { ...product, price_increment: 0.21 } }).suspects).toEqual(['tick size']);
});

it('a candle whose volume differs is found', () => {
  const found = judge({ ...withChart, prices: [{ ...point, ohlc: { ...point.ohlc, volume: 2 * point.ohlc.volume } }] });
  expect(found).toMatchObject({
    suspects: ['candle volume'],
    reason:
      'The chart’s volume of 24 Nov 2026 is about 2 times what the exchange’s other figures imply, so it is withheld.',
  });
});

it('a spread’s negative prices are compared by magnitude', () => {
  const spread = {
    ...sound,
    product: { ...product, type: 'spread' },
    running: { ...settled, settlement_price: -126, low_price: -140, high_price: 10, notional_volume: 20_000 },
    sessions: [{ ...settled, settlement_price: -126, low_price: -140, high_price: 10, notional_volume: 20_000 }],
  };
  const days = [{ ...day, notionalVolume: 20_000, notionalOpenInterest: 126 * 2 * 1_000 }];
  expect(judge({ ...spread, days, trailing: { ...trailing, notionalVolume: 400 } })).toEqual({
    done: [
      'openInterestValue passed',
      'settlementOfDay passed',
      'sessionVolume passed',
      'sessionPrice passed',
      'trailingPrice passed',
      'runningVolume passed',
    ],
    suspects: [],
    reason: null,
  });
});

it('only settlements of the same session are compared, and the newest that have both figures', () => {
  const older = { ...settled, settlement_time: '2026-11-23T22:00:00Z', settlement_price: 26_000 };
  const unpublished = { ...day, openInterest: null, notionalOpenInterest: null };
  const found = judge({
    ...sound,
    sessions: [settled, older],
    days: [{ ...day, date: '2026-11-23', notionalOpenInterest: 52_000_000 }, unpublished],
  });
  expect(found).toMatchObject({ done: expect.arrayContaining(['openInterestValue passed']) as string[], suspects: [] });
  expect(judge({ ...sound, sessions: [], days: [{ ...day, date: '2026-11-23' }] }).done).toEqual([
    'sessionPrice passed',
    'runningVolume passed',
  ]);
});

it('a zero proves nothing', () => {
  const nothing = { ...day, volume: null, notionalVolume: null, openInterest: 0, notionalOpenInterest: 0 };
  const running = { ...settled, volume: 0, notional_volume: 0 };
  expect(
    judge({
      ...{ ...sound, running, days: [nothing], sessions: [] },
      trailing: { ...trailing, volume: null, notionalVolume: null },
    }).done,
  ).toEqual([]);
});

it('the last 24 hours are compared only where they cannot reach into an earlier session', () => {
  const at = (time: string) =>
    judgePrices({ ...toEvidence(sound), trailingAt: time as Instant }).comparisons.some(
      ({ check }) => check === 'trailingPrice',
    );
  expect(['2026-11-24T21:59:59Z', '2026-11-24T22:00:00Z', '2026-11-25T21:59:59Z'].map(at)).toEqual([false, true, true]);
});

it('a mark stands in only where there is no settlement in ticks, within a quarter', () => {
  const print = { mark_price: 26_505, interval_end: '2026-11-25T00:00:00Z' } as unknown as NonNullable<
    ProductEvidence['latestPrint']
  >;
  const evidence = { ...toEvidence(sound), sessions: [], running: undefined };
  const judgeMark = (mark: number) =>
    judgePrices({ ...evidence, latestPrint: { ...print, mark_price: mark as never } }).reasons.has('tick size');
  expect([26_505, 30_000, 22_000, 34_000, 53_010].map(judgeMark)).toEqual([false, false, false, true, true]);
  expect([
    ...judgePrices({ ...toEvidence(sound), latestPrint: { ...print, mark_price: 99 as never } }).reasons.keys(),
  ]).toEqual(['mark']);
});

it('a mark that is not in ticks is found, whatever the tick size', () => {
  const judgeMark = (mark: number) => [
    ...judgePrices({
      ...toEvidence(sound),
      latestPrint: { mark_price: mark } as unknown as NonNullable<ProductEvidence['latestPrint']>,
    }).reasons,
  ];
  expect([26_505, 22_000, 33_000].map((mark) => judgeMark(mark))).toEqual([[], [], []]);
  expect(judgeMark(26_505 * 5)).toEqual([
    [
      'mark',
      'The mark at the last funding time is about 5 times what the exchange’s other figures imply, so index and mark are not converted.',
    ],
  ]);
});

it('no rounding of a sound product fails a check', () => {
  const tick = fc.constantFrom(0.000_000_002, 0.05, 0.2, 5, 2.5);
  const size = fc.constantFrom(0.01, 0.1, 1, 100, 100_000);
  fc.assert(
    fc.property(
      tick,
      size,
      fc.integer({ min: 1, max: 2_000_000 }),
      fc.integer({ min: 1, max: 500_000 }),
      (increment, contractSize, ticks, openInterest) => {
        const cents = Math.round(ticks * increment * contractSize * openInterest * 100);
        const row = {
          ...settled,
          settlement_price: ticks,
          low_price: null,
          high_price: null,
          volume: null,
          notional_volume: null,
        };
        const days = [{ ...day, volume: null, notionalVolume: null, openInterest, notionalOpenInterest: cents }];
        const { suspects } = judge({
          ...sound,
          product: { ...product, price_increment: increment, contract_size: contractSize },
          days,
          sessions: [row],
          running: row,
          trailing: { ...trailing, volume: null, notionalVolume: null },
        });
        expect(suspects).toEqual([]);
      },
    ),
  );
});
