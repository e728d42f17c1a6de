import { describe, expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Day } from '#contract/exchange/instant.ts';
import type { PriceDataPoint } from '#contract/exchange/market-data.ts';
import { describeProvenance } from '../../format/provenance.ts';
import type { Sourced } from '../../response.ts';
import numbers from './basis-history-numbers.json' with { type: 'json' };
import {
  type BasisHistory,
  type DatedProduct,
  type HistoryMonth,
  listHistoryMonths,
  toBasisHistory,
  toHistoryStart,
} from './basis-history.ts';
import { type CurveRow, whyMissing } from '../curve-rows.ts';
import { type HistoryFigure, HISTORY_FIGURES } from './history-params.ts';

const DIGITS = 20;
const FLOAT = 1e-12;
const FROM = numbers.from as Day;
const UNTIL = numbers.until as Day;
const SUBJECT = { underlying: 'BTC', baseSymbol: 'BUS', from: FROM, until: UNTIL };

type Month = (typeof numbers.months)[number];

function toProduct({ month, year, listed, expires }: Omit<Month, 'points'>): DatedProduct {
  const symbol = `BUS${month}${String(year).slice(-2)}`;
  const terms = { base_symbol: 'BUS', type: 'future', contract_size_unit: 'BTC', product_status: 'active' };
  const times = { month, year, first_trading_day: listed, final_settle_time: expires };
  return { product_id: symbol, symbol, ...terms, ...times } as unknown as DatedProduct;
}

function toPrices(points: Month['points']): Sourced<readonly PriceDataPoint[]> {
  const value = points.map((point) => ({ ohlc: {}, ...point })) as unknown as readonly PriceDataPoint[];
  const times = { respondedAt: null, receivedAt: 0, ageSeconds: 0 };
  return { endpoint: 'chartPrice', target: '/', ...times, cache: 'miss', requestId: null, value };
}

const perpetual = {
  product: { product_id: 1, symbol: 'PBTCUCZ50', type: 'perpetual' } as unknown as DeskProduct,
  prices: toPrices(numbers.perpetual),
};
const months = numbers.months.map((month) => ({ product: toProduct(month), prices: toPrices(month.points) }));
const history = toBasisHistory(SUBJECT, months, perpetual);

function rowAt(of: BasisHistory, day: string, name: string): CurveRow | undefined {
  return of.curveAt(of.sessions.indexOf(day as Day)).rows.find((row) => row.name === name);
}

function cellAt(of: BasisHistory, day: string, name: string): string | undefined {
  return of.lines.find((line) => line.name === name)?.cells[of.sessions.indexOf(day as Day)];
}

const names = [
  ...numbers.months.map(({ month, year }) => `${month}${String(year).slice(-2)}`),
  '30 days',
  '90 days',
  '180 days',
];

type Expected = string | Readonly<Record<HistoryFigure, string | null>>;

/** What a session of the file has: a word for why there is no basis, or figures. */
function toExpected(written: unknown) {
  const expected = written as Expected;
  if (typeof expected === 'string') return { cell: expected, figures: [null, null, null] };
  const figures = HISTORY_FIGURES.map((figure) => expected[figure]);
  return { cell: expected.aYear === null ? 'too near' : 'basis', figures };
}

function isDrawnAs(drawn: number | null, exact: string | null): boolean {
  if (drawn === null || exact === null) return drawn === exact;
  return Math.abs(drawn - Number(exact)) < FLOAT * Math.max(1, Math.abs(Number(exact)));
}

describe('the history of the basis', () => {
  it.each(names)('of %s equals the results of an independent calculator, and is drawn so', (name) => {
    const line = history.lines.find((each) => each.name === name);
    expect(history.sessions).toEqual(numbers.sessions.map(({ day }) => day));
    for (const [index, session] of numbers.sessions.entries()) {
      const { cell, figures } = toExpected(session[name as keyof typeof session]);
      const row = history.curveAt(index).rows.find((each) => each.name === name);
      const drawn = HISTORY_FIGURES.map((figure) => line?.drawn[figure][index] ?? null);
      expect([session.day, line?.cells[index]]).toEqual([session.day, cell]);
      expect(HISTORY_FIGURES.map((figure) => row?.[figure]?.value?.toFixed(DIGITS) ?? null)).toEqual(figures);
      expect(drawn.map((value, at) => isDrawnAs(value, figures[at] ?? null))).toEqual([true, true, true]);
      if (cell === 'missing') expect(row && whyMissing(row, 'aYear')).not.toBeNull();
    }
  });

  it.each([
    ['2026-10-22', 'Z26', 'PBTCUCZ50 has no settlement of 22 Oct 2026.'],
    ['2026-10-27', 'Z26', 'BUSZ26 has no settlement of 27 Oct 2026.'],
    [
      '2026-11-05',
      'X26',
      'BUSX26 settled on 5 Nov 2026, 22:01 UTC, and PBTCUCZ50 on 5 Nov 2026, 22:00 UTC: a basis needs both settlements of the same minute.',
    ],
    ['2026-12-03', 'H27', 'a factor of 10.'],
    ['2026-10-29', 'V26', 'a basis is not scaled to a year under 3 days.'],
    ['2026-10-27', '90 days', 'BUSZ26 has no settlement of 27 Oct 2026.'],
  ])('says why there is none on %s for %s', (day, name, reason) => {
    const row = rowAt(history, day, name);
    expect(row && whyMissing(row, 'aYear')).toContain(reason);
  });

  it('says from which settlements a figure was computed', () => {
    const { aYear } = rowAt(history, '2026-11-02', 'Z26') ?? {};
    const lines = (aYear ? describeProvenance(aYear, String) : []).map(({ value }) => value);
    expect(lines[0]).toBe('Basis × 525600 minutes of 365 days ÷ 76320 minutes to expiry');
    expect(lines.filter((line) => line.startsWith('chartPrice settlementPrice = '))).toHaveLength(3);
  });

  it('leaves out sessions in which no month settled, and counts weekdays among them', () => {
    expect(history.withoutMonths).toEqual([numbers.holiday]);
    expect(history.sessions).not.toContain('2026-10-24');
  });

  it('begins with the first session in which the perpetual settled', () => {
    const late = { ...perpetual, prices: toPrices(numbers.perpetual.filter(({ date }) => date >= '2026-11-07')) };
    expect(toBasisHistory(SUBJECT, months, late).sessions[0]).toBe('2026-11-09');
    expect(toBasisHistory(SUBJECT, months, { ...perpetual, prices: toPrices([]) }).sessions).toEqual([]);
  });

  it('bridges no month whose prices could not be read', () => {
    const failed: readonly HistoryMonth[] = months.map((month) =>
      month.product.symbol === 'BUSZ26'
        ? { ...month, prices: { missingBecause: 'The connection was refused.' } }
        : month,
    );
    const partial = toBasisHistory(SUBJECT, failed, perpetual);
    expect(partial.sessions).toEqual(history.sessions);
    expect(cellAt(partial, '2026-11-10', 'Z26')).toBe('missing');
    expect(cellAt(partial, '2026-11-10', '30 days')).toBe('missing');
    const row = rowAt(partial, '2026-11-10', 'Z26');
    expect(row && whyMissing(row, 'aYear')).toBe('The prices of BUSZ26 could not be read: The connection was refused.');
  });

  it('has no figure for a price that a future cannot have', () => {
    const change = (settlementPrice: string) =>
      months.map((month) =>
        month.product.symbol === 'BUSZ26'
          ? {
              ...month,
              prices: toPrices(
                numbers.months[2]?.points.map((one) =>
                  one.date === '2026-11-10' ? { ...one, settlementPrice } : one,
                ) ?? [],
              ),
            }
          : month,
      );
    const zero = toBasisHistory(SUBJECT, change('0'), perpetual);
    expect(cellAt(zero, '2026-11-10', 'Z26')).toBe('missing');
    const row = rowAt(zero, '2026-11-10', 'Z26');
    expect(row && whyMissing(row, 'aYear')).toContain('Impossible value');
  });
});

it('belong to a history: the months of the series that were listed in its range, also expired ones, by expiry', () => {
  const terms = { month: 'Z', listed: '2026-01-05', year: 2026 };
  const product = (expires: string, more: object = {}) =>
    ({ ...toProduct({ ...terms, expires }), ...more }) as DeskProduct;
  const directory = [
    product('2027-03-26T21:00:00Z', { symbol: 'later' }),
    product('2026-10-30T21:00:00Z', { symbol: 'expired', product_status: 'expired' }),
    product('2026-10-20T21:00:00Z', { symbol: 'expired before', product_status: 'expired' }),
    product('2027-06-25T21:00:00Z', { symbol: 'listed after', first_trading_day: '2026-12-09' }),
    product('2027-06-25T21:00:00Z', { symbol: 'forthcoming', product_status: 'forthcoming' }),
    product('2027-06-25T21:00:00Z', { symbol: 'other series', base_symbol: 'BUC' }),
    product('2027-06-25T21:00:00Z', { symbol: 'option', type: 'option' }),
  ];
  expect(listHistoryMonths(directory, SUBJECT).map(({ symbol }) => symbol)).toEqual(['expired', 'later']);
  expect(toHistoryStart('2Y', '2026-08-14' as Day)).toBe('2024-08-14');
});
