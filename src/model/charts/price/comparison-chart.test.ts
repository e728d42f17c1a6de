import { describe, expect, it } from 'vitest';
import type { Period } from '../../time/date-range.ts';
import { toDecimal } from '../../units/decimal.ts';
import type { ComparedAs } from './compared-as.ts';
import type { ComparedProduct } from './compared-sessions.ts';
import { compareProducts } from './comparison.ts';
import { describeComparison, summariseComparison, toComparisonChartData } from './comparison-chart.ts';

const DAYS = ['2026-11-12', '2026-11-13', '2026-11-16'];

function product(name: string, settlements: readonly string[], terms: object): ComparedProduct {
  const value = settlements.map((settlementPrice, at) => {
    const prices = { open: settlementPrice, high: settlementPrice, low: settlementPrice, close: settlementPrice };
    return { date: DAYS[at], time: `${DAYS[at] ?? ''}T22:00:00Z`, ohlc: { ...prices, volume: 1 }, settlementPrice };
  });
  const response = { value, endpoint: 'chartPrice', target: `/${name}` };
  return { name, product: { contract_size_unit: 'BTC', ...terms }, prices: response, running: null } as never;
}

const perpetual = product('P', ['100000', '101000', '100000'], { type: 'perpetual' });
const future = product('F', ['101000', '102500', '100900'], {
  type: 'future',
  final_settle_time: '2026-12-16T22:00:00Z',
});
const running = (date: string) =>
  ({ date, since: '2026-11-16', fraction: { value: toDecimal('0.01'), provenance: { kind: 'read' } } }) as never;

const compare = (products: readonly ComparedProduct[], panes: readonly ComparedAs[], period: Period = '1D') =>
  compareProducts(products, { period, panes }) ?? expect.fail('no comparison');

const draw = (
  products: readonly ComparedProduct[],
  panes: readonly ComparedAs[],
  {
    period = '1D',
    scale = 'linear',
    hidden = '',
  }: { period?: Period; scale?: 'linear' | 'percent'; hidden?: string } = {},
) => toComparisonChartData(compare(products, panes, period), { panes, scale, isHidden: (name) => name === hidden });

describe('the chart', () => {
  it('has a pane for each way to compare, from the top, and all figures of a product in its entry', () => {
    const { panes, readouts, times } = draw([perpetual, future], ['basis', 'ratio', 'difference', 'rebased']);
    expect(panes.map(({ name, unit }) => [name, unit])).toEqual([
      ['Rebased to 100', ''],
      ['Difference from P', 'USD'],
      ['Ratio to P', ''],
      ['Basis a year', '%'],
    ]);
    const last = times.length - 1;
    expect(readouts.map(({ entry, text, unit }) => [entry?.name, entry?.figure, text(last), unit])).toEqual([
      ['P', 'rebased', '100.00', ''],
      ['P', 'price', '100,000.00', 'USD'],
      ['F', 'rebased', '99.90', ''],
      ['F', 'difference', '+900.00', 'USD'],
      ['F', 'ratio', '1.00900', ''],
      // 30 days: 0.9 % × 365 ÷ 30
      ['F', 'basis of F over P', '+10.95', '% a year'],
      ['F', 'price', '100,900.00', 'USD'],
    ]);
  });

  it('explains a basis by its days, both settlements and their sources', () => {
    const { readouts, times } = draw([perpetual, future], ['basis']);
    const basis = readouts.find(({ name }) => name === 'F over P');
    expect(basis?.explain?.(times.length - 1).map(({ value }) => value)).toEqual([
      'Basis × 525600 minutes of 365 days ÷ 43200 minutes to expiry',
      'Basis in USD ÷ settlement of P',
      'Settlement of F − settlement of P',
      'chartPrice settlementPrice = 100900 (2026-11-16)',
      'chartPrice settlementPrice = 100000 (2026-11-16)',
      'chartPrice settlementPrice = 100000 (2026-11-16)',
    ]);
  });

  it('has n/a, with the reason, where other figures of the session have a value', () => {
    const soon = product('F', ['101000', '102500'], { type: 'future', final_settle_time: '2026-11-16T00:00:00Z' });
    const basis = draw([perpetual, soon], ['basis']).readouts.find(({ name }) => name === 'F over P');
    expect(basis?.text(1)).toBe('n/a');
    expect(basis?.explain?.(1)[0]?.value).toBe(
      'F expires 2 days after its settlement of 13 Nov 2026, on 16 Nov 2026, 00:00 UTC: ' +
        'a basis is not scaled to a year under 3 days.',
    );
  });

  it('has each basis of the one that expires later over the other, whichever is shown', () => {
    const next = product('G', ['102000', '103500', '101900'], {
      type: 'future',
      final_settle_time: '2027-01-15T22:00:00Z',
    });
    const { readouts, times } = draw([future, perpetual, next], ['basis']);
    expect(
      readouts
        .filter(({ unit }) => unit === '% a year')
        .map(({ entry, name, text }) => [entry?.name, name, text(times.length - 1)]),
    ).toEqual([
      ['P', 'F over P', '+10.95'],
      // 30 days: 1,000 ÷ 100,900 × 365 ÷ 30
      ['G', 'G over F', '+12.06'],
    ]);
  });

  it('names week and session, and has percent from the base for the rebased pane only', () => {
    const { timeText, panes } = draw([perpetual, future], ['rebased', 'ratio'], { period: '1W', scale: 'percent' });
    expect([timeText(0), timeText(1)]).toEqual([
      '9 Nov 2026, session of 13 Nov 2026',
      '16 Nov 2026, session of 16 Nov 2026',
    ]);
    expect(panes.map(({ unit, series }) => [unit, series[0]?.values[0]])).toEqual([
      ['%', 0],
      ['', 102500 / 101000],
    ]);
  });

  it('hides the lines of a product in all panes, and keeps its figures', () => {
    const { panes, readouts } = draw([perpetual, future], ['rebased', 'ratio'], { hidden: 'F' });
    expect(panes.map(({ series }) => series.map((series) => series.kind === 'line' && series.hidden))).toEqual([
      [false, true],
      [true],
    ]);
    expect(readouts).toHaveLength(5);
  });

  it('draws the price of a spread dashed over the difference of its legs, without a figure of its own', () => {
    const spread = product('S', ['-1000', '-1500', '-900'], { type: 'spread' });
    const { panes, readouts } = draw([spread, future, perpetual], ['difference']);
    expect(panes[0]?.series.map((series) => series.kind === 'line' && [series.ink, series.stroke])).toEqual([
      ['series-3', undefined],
      ['series-1', 'dashed'],
    ]);
    expect(readouts.map(({ name }) => name)).toEqual(['S price', 'F price', 'P − F', 'P price']);
  });
});

it('the summary has the end of each pane in words', () => {
  const panes = ['rebased', 'difference', 'basis'] as const;
  expect(summariseComparison(compare([perpetual, future], panes), panes)).toBe(
    'Rebased to 100 on 12 Nov 2026. At the end, 16 Nov 2026: P at 100.0; F at 99.9. F − P: +900.00 USD. ' +
      'Basis of F over P: +10.95 % a year, contango.',
  );
});

it('the remarks warn of a difference of prices in different units', () => {
  const inUnit = (each: ComparedProduct, unit: string) =>
    ({ ...each, product: { ...each.product, price_quotation_unit: unit } }) as ComparedProduct;
  const products = [inUnit(perpetual, 'USD per BTC'), inUnit(future, 'USD per ETH')];
  expect(describeComparison(compare(products, ['difference']), ['difference'])[1]).toBe(
    'The difference is of prices in different units: USD per BTC, USD per ETH.',
  );
  expect(describeComparison(compare(products, ['ratio']), ['ratio']).join()).not.toContain('units');
});

it('the remarks name later sessions once, by session', () => {
  const panes = ['difference', 'basis'] as const;
  const products = [perpetual, future].map((each) => ({ ...each, running: running('2026-11-17') }));
  expect(describeComparison(compare(products, panes), panes)).toEqual([
    'From the top: difference from P in USD; basis of the product that expires later over the other, in % a year, simple, actual/365.',
    'Settlements of the sessions that all products have.',
    'Later, not compared: 17 Nov 2026, in progress, of P, F.',
  ]);
});
