import { describe, expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Day } from '#contract/exchange/instant.ts';
import type { RunningChange } from '../../price/running-session.ts';
import type { Period } from '../../time/date-range.ts';
import { toDecimal } from '../../units/decimal.ts';
import numbers from './comparison-numbers.json' with { type: 'json' };
import type { ComparedProduct } from './compared-sessions.ts';
import type { ComparedAs } from './compared-as.ts';
import { compareProducts, type Comparison } from './comparison.ts';

type Row = readonly string[];

function product(name: string, rows: readonly Row[], terms: object = { type: 'perpetual' }): ComparedProduct {
  const value = rows.map(([date = '', time = '', settlementPrice = '']) => ({ date, time, ohlc: {}, settlementPrice }));
  const prices = { value, endpoint: 'chartPrice', target: `/${name}` } as unknown as ComparedProduct['prices'];
  return { name, product: { contract_size_unit: 'BTC', ...terms } as unknown as DeskProduct, prices, running: null };
}

/** Settlements at 22:00 UTC. */
function at(prices: Readonly<Record<string, string>>): readonly Row[] {
  return Object.entries(prices).map(([day, price]) => [day, `${day}T22:00:00Z`, price]);
}

const compare = (products: readonly ComparedProduct[], period: Period = '1D', panes: readonly ComparedAs[] = []) =>
  compareProducts(products, { period, panes }) ?? expect.fail('no comparison');

const linesOf = ({ lines, sessions }: Comparison, as: ComparedAs) =>
  lines
    .filter((line) => line.as === as)
    .map((line) => sessions.map((session) => line.at(session).value?.toFixed(20) ?? null));

const reasonsOf = ({ omitted }: Comparison, as: ComparedAs): readonly string[] =>
  omitted.filter((one) => one.as === as).map(({ reason }) => reason);

const future = (expiry: string, more: object = {}) => ({ type: 'future', final_settle_time: expiry, ...more });

describe('the figures equal those of an independent tool', () => {
  const named = Object.entries(numbers.settlements).map(([name, rows]) => {
    const expiry = (numbers.expiries as Readonly<Record<string, string>>)[name];
    return product(name, rows, expiry === undefined ? undefined : future(expiry));
  });

  it.each(numbers.comparisons)('$products by $period', ({ products, period, rows }) => {
    const comparison = compare(
      products.map((name) => named.find((each) => each.name === name) ?? expect.fail(name)),
      period as Period,
    );
    expect(comparison.sessions.map(({ session }) => session)).toEqual(rows.map(({ session }) => session));
    for (const as of ['rebased', 'difference', 'ratio', 'basis'] as const)
      expect(linesOf(comparison, as), as).toEqual(
        rows[0]?.[as].map((_, line) => rows.map((row) => row[as][line] ?? null)),
      );
  });
});

describe('sessions', () => {
  const daily = at({
    '2026-11-12': '50',
    '2026-11-13': '55',
    '2026-11-14': '60',
    '2026-11-15': '60',
    '2026-11-16': '65',
  });
  const dated = at({ '2026-11-12': '100', '2026-11-13': '110', '2026-11-16': '120' });
  const sessionsOf = (...running: readonly (RunningChange | null)[]) => {
    const products = [product('P', daily), product('F', dated, { type: 'future' })];
    const { sessions, leftOut } = compare(
      products.map((each, index) => ({ ...each, running: running[index] ?? null })),
    );
    return { sessions: sessions.map(({ session, isRunning }) => session + (isRunning ? '*' : '')), leftOut };
  };
  const running = (date: string, since = '2026-11-16', fraction = '0.1') =>
    ({ since: since as Day, date: date as Day, fraction: { value: toDecimal(fraction) } }) as RunningChange;
  const settled = { sessions: ['2026-11-12', '2026-11-13', '2026-11-16'], leftOut: 2 };

  it('are those that all products have; the others in between are counted', () => {
    expect(sessionsOf()).toEqual(settled);
  });

  it('include the one in progress if it is in progress for all since their newest settlements', () => {
    expect(sessionsOf(running('2026-11-17'), running('2026-11-17')).sessions.at(-1)).toBe('2026-11-17*');
    expect(sessionsOf(running('2026-11-17'), null)).toEqual(settled);
    expect(sessionsOf(running('2026-11-17'), running('2026-11-18'))).toEqual(settled);
    expect(sessionsOf(running('2026-11-17', '2026-11-15'), running('2026-11-17'))).toEqual(settled);
  });

  it('have last prices while in progress, and no basis', () => {
    const products = [product('P', daily), product('F', dated, future('2026-12-25T22:00:00Z'))];
    const comparison = compare(products.map((each) => ({ ...each, running: running('2026-11-17') })));
    const ends = (as: ComparedAs) => linesOf(comparison, as).map((values) => values.at(-1));
    expect(ends('rebased')).toEqual(['143.00000000000000000000', '132.00000000000000000000']);
    expect(ends('difference')).toEqual(['60.50000000000000000000']);
    expect(ends('basis')).toEqual([null]);
  });

  it('are settled beside a basis', () => {
    const products = [product('P', daily), product('F', dated)].map((each) => ({
      ...each,
      running: running('2026-11-17'),
    }));
    expect(compare(products, '1D', ['rebased', 'basis']).sessions.at(-1)?.session).toBe('2026-11-16');
  });

  it('are none without a common one', () => {
    expect(
      compareProducts([product('A', at({ '2026-11-12': '1' })), product('B', at({ '2026-11-13': '1' }))], {
        period: '1D',
        panes: [],
      }),
    ).toBeNull();
  });
});

describe('a spread', () => {
  const spread = product('N-L', at({ '2026-11-12': '-4' }), { type: 'spread' });
  const near = product('N', at({ '2026-11-12': '100' }), future('2026-11-27T22:00:00Z'));
  const far = product('L', at({ '2026-11-12': '105' }), future('2026-12-25T22:00:00Z'));

  it('is beside the difference of its legs, by its own price', () => {
    const comparison = compare([spread, far, near]);
    expect(comparison.reference.name).toBe('L');
    expect(comparison.lines.filter(({ as }) => as === 'difference').map(({ name }) => name)).toEqual([
      'N-L price',
      'N − L',
    ]);
    expect(linesOf(comparison, 'difference').map(([value]) => Number(value))).toEqual([-4, -5]);
  });

  it('is neither rebased nor in a ratio, because its price is a difference', () => {
    const comparison = compare([spread, far, near]);
    expect(reasonsOf(comparison, 'rebased')).toEqual([
      'N-L is not rebased: the price of N-L, a spread, is a difference of prices.',
    ]);
    expect(reasonsOf(comparison, 'ratio')).toEqual([
      'No ratio of N-L to L: the price of N-L, a spread, is a difference of prices.',
    ]);
    expect(linesOf(comparison, 'rebased')).toHaveLength(2);
  });
});

it('a first price that is not above zero leaves only the difference', () => {
  const comparison = compare([product('A', at({ '2026-11-12': '0' })), product('B', at({ '2026-11-12': '5' }))]);
  const why = 'the price of A on 2026-11-12, the first common session, is not above zero.';
  expect(reasonsOf(comparison, 'rebased')).toEqual([`A is not rebased: ${why}`]);
  expect(reasonsOf(comparison, 'ratio')).toEqual([`No ratio of B to A: ${why}`]);
  expect(linesOf(comparison, 'difference')).toEqual([['5.00000000000000000000']]);
});

describe('there is no basis', () => {
  const [rows, perpetual] = [at({ '2026-11-12': '100' }), { type: 'perpetual' }];
  const expiring = future('2026-12-25T22:00:00Z');

  it.each<readonly [string, object, object]>([
    ['neither expires.', perpetual, perpetual],
    ['both expire at the same time.', expiring, expiring],
    ['the underlying of one is BTC, of the other ETH.', perpetual, { ...expiring, contract_size_unit: 'ETH' }],
    ['the underlying of one is not published.', perpetual, { ...expiring, contract_size_unit: undefined }],
    ['the expiry of B is not published.', perpetual, { type: 'future' }],
    ['B is no future or perpetual.', perpetual, { ...expiring, type: 'option' }],
  ])('where %s', (why, one, other) => {
    const comparison = compare([product('A', rows, one), product('B', rows, other)]);
    expect(reasonsOf(comparison, 'basis')).toEqual([`No basis of B against A: ${why}`]);
  });

  const basisOf = (time: string, expiry: string) => {
    const comparison = compare([product('A', rows), product('B', [['2026-11-12', time, '101']], future(expiry))]);
    return comparison.lines.find(({ as }) => as === 'basis')?.at(comparison.sessions[0]);
  };

  it('under three days to expiry, to the minute', () => {
    expect(basisOf('2026-11-12T22:00:00Z', '2026-11-15T21:59:00Z')?.withheld).toBe(
      'B expires 2 days after its settlement of 12 Nov 2026, on 15 Nov 2026, 21:59 UTC: ' +
        'a basis is not scaled to a year under 3 days.',
    );
    expect(basisOf('2026-11-12T22:00:00Z', '2026-11-15T22:00:00Z')?.value?.toFixed(4)).toBe('1.2167');
  });

  it('between two futures that expire within three days of each other', () => {
    const [near, far] = ['2026-12-25T22:00:00Z', '2026-12-28T21:59:00Z'].map((expiry) => future(expiry));
    const comparison = compare([product('A', rows, near), product('B', rows, far)]);
    const basis = comparison.lines.find(({ as }) => as === 'basis')?.at(comparison.sessions[0]);
    expect(basis?.withheld).toContain('B expires 2 days after A, on 28 Dec 2026, 21:59 UTC');
  });

  it('where the two did not settle in the same minute, as on the curve', () => {
    expect(basisOf('2026-11-12T22:01:00Z', '2026-12-25T22:00:00Z')?.withheld).toBe(
      'B settled on 12 Nov 2026, 22:01 UTC, and A on 12 Nov 2026, 22:00 UTC: a basis needs both settlements of the same minute.',
    );
    expect(basisOf('2026-11-12T22:00:59Z', '2026-12-25T22:00:00Z')?.value).not.toBeNull();
  });
});
