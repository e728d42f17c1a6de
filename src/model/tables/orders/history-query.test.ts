import { describe, expect, it } from 'vitest';
import {
  isOpenEnded,
  toLocalFilter,
  toHistoryQuery,
  toRequest,
  withoutLocalFilter,
  type QueryTexts,
} from './history-query.ts';

const ALWAYS: QueryTexts = { product_id: '', day: '', begin_time: '', end_time: '' };
const filters = {
  product: { kind: 'is', texts: ['PBTCUCZ50'] },
  account: { kind: 'is', texts: ['ACC1', 'ACC2'] },
  firm: { kind: 'has', text: 'HO' },
  status: { kind: 'is', texts: ['Filled'] },
} as const;

describe('the request for history', () => {
  it('has each filter on one value of a column that the exchange knows; the rest are local', () => {
    const request = toRequest(toHistoryQuery({ filters, sorts: [] }, ALWAYS, 0));
    expect(request).toEqual({ symbol: 'PBTCUCZ50', order: 'desc' });
    expect(toLocalFilter({ filters, quick: ' Bid ' })).toEqual({
      quick: 'Bid',
      filters: { account: filters.account, firm: filters.firm, status: filters.status },
    });
  });

  it('has no filter for an empty value, which is filtered locally', () => {
    const bare = { account: { kind: 'is', texts: [''] } } as const;
    expect(toRequest(toHistoryQuery({ filters: bare, sorts: [] }, ALWAYS, 0))).toEqual({ order: 'desc' });
    expect(toLocalFilter({ filters: bare, quick: '' }).filters).toEqual(bare);
  });

  it('keeps its filters when local filters are cleared', () => {
    expect(withoutLocalFilter({ filters, quick: 'Bid' })).toEqual({ filters: { product: filters.product }, quick: '' });
  });

  it('can name a product by its id', () => {
    expect(toRequest(toHistoryQuery({ filters: {}, sorts: [] }, { ...ALWAYS, product_id: '5614' }, 0))).toEqual({
      product_id: '5614',
      order: 'desc',
    });
  });

  it.each([
    [[{ id: 'time', desc: false }], 'asc'],
    [[{ id: 'time', desc: true }], 'desc'],
    [[{ id: 'price', desc: false }], 'desc'],
  ] as const)('sorted by %j, it has the order %s', (sorts, order) => {
    expect(toHistoryQuery({ filters: {}, sorts }, ALWAYS, 0).order).toBe(order);
  });

  it.each([
    ['2026-08-01 09:30', '2026-08-01T09:30:00Z'],
    ['2026-08-01T09:30:07Z', '2026-08-01T09:30:07Z'],
    ['2026-08-17T23:45:21.496334704Z', '2026-08-17T23:45:21.496334704Z'],
    ['now', 'now'],
    ['whenever', 'whenever'],
    ['1 h', '1969-12-31T23:00:00.000000000Z'],
    ['2026-02-30', '2026-02-30'],
  ])('has %s as the time %s', (text, time) => {
    expect(
      toRequest(toHistoryQuery({ filters: {}, sorts: [] }, { ...ALWAYS, begin_time: text, end_time: text }, 0)),
    ).toEqual({ begin_time: time, end_time: time, order: 'desc' });
  });

  it('has a day alone from its beginning up to, and without, the beginning of the next', () => {
    const request = toRequest(
      toHistoryQuery({ filters: {}, sorts: [] }, { ...ALWAYS, begin_time: '2026-08-31', end_time: ' 2026-08-31 ' }, 0),
    );
    expect(request).toEqual({ begin_time: '2026-08-31T00:00:00Z', end_time: '2026-09-01T00:00:00Z', order: 'desc' });
  });
});

describe('a range', () => {
  const now = Date.parse('2026-08-17T12:00:00Z');
  const isOpen = (range: Partial<QueryTexts>) =>
    isOpenEnded(toHistoryQuery({ filters: {}, sorts: [] }, { ...ALWAYS, ...range }, now), now);

  it('is open until its end has passed', () => {
    expect([
      isOpen({}),
      isOpen({ end_time: 'now' }),
      isOpen({ begin_time: '2026-08-01' }),
      isOpen({ end_time: '2026-08-17' }),
    ]).toEqual([true, true, true, true]);
    expect([isOpen({ end_time: '2026-08-16' }), isOpen({ day: '2026-08-15' })]).toEqual([false, false]);
    expect([isOpen({ day: '2026-08-17' }), isOpen({ day: '2026-08-18' })]).toEqual([true, true]);
  });

  it('with an invalid time counts as open, since the desk rejects it by name', () => {
    expect(isOpen({ end_time: 'whenever' })).toBe(true);
  });
});
