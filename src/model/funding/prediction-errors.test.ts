import { describe, expect, it } from 'vitest';
import { DeskEstimates } from '#contract/desk/funding.ts';
import { createParser } from '#contract/parse/parse.ts';
import { fundingTimeAt, printAt, toWirePrints, type WrittenPrint } from '#testing/settled-rates.ts';
import { createFundingSeries } from './funding-series.ts';
import { compareRates, measurePredictedRates, type PredictedRatePoint, toSettlements } from './prediction-errors.ts';
import numbers from './prediction-numbers.json' with { type: 'json' };

interface Read {
  readonly end: string;
  readonly share: string;
  readonly estimate: string;
}

const parser = createParser(DeskEstimates, 'estimates');

function toEstimates(reads: readonly Read[]) {
  const rows = reads.map(
    ({ end, share, estimate }) =>
      `{"base_symbol":"BTCUC","interval_end":"${end.replace('Z', '.000000000Z')}","share":${share},` +
      `"estimate":${estimate},"settled":null,"read_at":"${end}"}`,
  );
  return parser.strict(`{"estimates":[${rows.join()}]}`).estimates;
}

function settle(prints: readonly WrittenPrint[], reads: readonly Read[], last = 1_000) {
  const series = createFundingSeries({
    prints: toWirePrints(prints),
    knownFrom: null,
    reachesLaunch: false,
  });
  const window = { from: Date.parse(fundingTimeAt(0)), to: Date.parse(fundingTimeAt(last)) };
  return toSettlements(series, toEstimates(reads), window);
}

const readAt = (share: string, estimate = '0.0003', end = fundingTimeAt(1)): Read => ({ end, share, estimate });
const sharesOf = (...reads: readonly Read[]) => {
  const [settlement] = settle([printAt(0, '0.0001')], reads);
  return new Map([...(settlement?.predicted ?? [])].map(([point, { share }]) => [point, share]));
};

describe('the figures of all settled rates', () => {
  const settlements = settle(numbers.prints, numbers.reads);

  it.each(numbers.figures)('are those of a loop over all rows, at $point %', (wanted) => {
    const point = wanted.point as PredictedRatePoint;
    const found = measurePredictedRates(settlements, point, 'interval', 'market');
    expect(found).toMatchObject({ settlements: wanted.settlements, predicted: wanted.predicted });
    for (const figure of ['bias', 'meanAbsolute', 'rightSign'] as const)
      expect(found[figure]?.toDecimalPlaces(40).toFixed(40), figure).toBe(wanted[figure]);
    const apr = measurePredictedRates(settlements, point, 'apr', 'market').bias;
    expect(apr?.toDecimalPlaces(40).toFixed(40)).toBe(wanted.biasApr);
  });

  it('have the opposite bias for a long position, and the same size and hits', () => {
    const [market, long] = (['market', 'long'] as const).map((side) =>
      measurePredictedRates(settlements, 50, 'interval', side),
    );
    expect(long?.bias?.toFixed()).toBe(market?.bias?.negated().toFixed());
    expect(long?.meanAbsolute?.toFixed()).toBe(market?.meanAbsolute?.toFixed());
    expect(long?.rightSign?.toFixed()).toBe(market?.rightSign?.toFixed());
  });
});

it('counts the prediction read last at or before a point, if it is no older than a twentieth of the interval', () => {
  expect(sharesOf(readAt('0.2'), readAt('0.21'), readAt('0.2501'))).toEqual(new Map([[25, 0.21]]));
  expect(sharesOf(readAt('0.25'), readAt('0.7'))).toEqual(
    new Map([
      [25, 0.25],
      [75, 0.7],
    ]),
  );
  expect(sharesOf(readAt('0.1999'), readAt('0.4499'), readAt('0.6999'), readAt('0.8999'), readAt('0.96'))).toEqual(
    new Map(),
  );
});

it('has no figure without a prediction, which is not zero, and counts the settled rates all the same', () => {
  const settlements = settle([printAt(0, '0.0001'), printAt(1, '0.0002')], [readAt('0.5')]);
  expect(measurePredictedRates(settlements, 25, 'interval', 'market')).toEqual({
    point: 25,
    settlements: 2,
    predicted: 0,
    bias: null,
    meanAbsolute: null,
    rightSign: null,
  });
  expect(measurePredictedRates(settlements, 50, 'interval', 'market')).toMatchObject({ settlements: 2, predicted: 1 });
});

it('compares the error in the rate unit, where years are compounded one by one', () => {
  const [settlement] = settle([printAt(0, '0.0001')], [readAt('0.5')]);
  if (settlement === undefined) expect.fail('no settlement');
  const error = (form: Parameters<typeof compareRates>[2]) =>
    compareRates(settlement, 50, form, 'market')?.error.toDecimalPlaces(12).toFixed();
  expect(error('interval')).toBe('0.0002');
  expect(error('day')).toBe('0.0006');
  expect(error('apr')).toBe('0.219');
  // 1.0003 ^ 1095 − 1.0001 ^ 1095.
  expect(error('apy')).toBe('0.273100855685');
});

it('agrees in sign with zero only if both are zero', () => {
  const signs = (settled: string, predicted: string) =>
    measurePredictedRates(
      settle([printAt(0, settled)], [readAt('0.5', predicted)]),
      50,
      'interval',
      'market',
    ).rightSign?.toFixed();
  expect([
    signs('0', '0.0001'),
    signs('0.0001', '0'),
    signs('0', '0'),
    signs('-0.1', '-0.2'),
    signs('0.1', '-0.1'),
  ]).toEqual(['0', '0', '1', '1', '0']);
});

it('lists the settled rates of the window, newest first, and no interval that has not settled', () => {
  const settlements = settle(
    [0, 1, 2, 3].map((at) => printAt(at, '0.0001')),
    [readAt('0.5', '0.1', fundingTimeAt(9))],
    3,
  );
  expect(settlements.map(({ row }) => row.interval_end)).toEqual([3, 2, 1].map(fundingTimeAt));
});
