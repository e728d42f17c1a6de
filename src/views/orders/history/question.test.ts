import { describe, expect, it } from 'vitest';
import { isOpenEnded, toLocalFilter, toQuestion, toRequest, withoutLocalFilter, type AskedTexts } from './question.ts';

const ALWAYS: AskedTexts = { product_id: '', day: '', begin_time: '', end_time: '' };
const filters = {
  product: { kind: 'is', texts: ['PBTCUCZ50'] },
  account: { kind: 'is', texts: ['ACC1', 'ACC2'] },
  firm: { kind: 'has', text: 'HO' },
  status: { kind: 'is', texts: ['Filled'] },
} as const;

describe('what the venue is asked', () => {
  it('is every filter on one value of a column it knows; the rest is done here', () => {
    const asked = toRequest(toQuestion({ filters, sorts: [] }, ALWAYS));
    expect(asked).toEqual({ symbol: 'PBTCUCZ50', order: 'desc' });
    expect(toLocalFilter({ filters, quick: ' Bid ' })).toEqual({ quick: 'Bid', filters: { account: filters.account, firm: filters.firm, status: filters.status } });
  });

  it('is nothing where a column is filtered to what is empty: that is looked for here', () => {
    const bare = { account: { kind: 'is', texts: [''] } } as const;
    expect(toRequest(toQuestion({ filters: bare, sorts: [] }, ALWAYS))).toEqual({ order: 'desc' });
    expect(toLocalFilter({ filters: bare, quick: '' }).filters).toEqual(bare);
  });

  it('stays asked when what is filtered here is cleared', () => {
    expect(withoutLocalFilter({ filters, quick: 'Bid' })).toEqual({ filters: { product: filters.product }, quick: '' });
  });

  it('is a product by its number, too', () => {
    expect(toRequest(toQuestion({ filters: {}, sorts: [] }, { ...ALWAYS, product_id: '5614' }))).toEqual({ product_id: '5614', order: 'desc' });
  });

  it.each([
    [[{ id: 'time', desc: false }], 'asc'],
    [[{ id: 'time', desc: true }], 'desc'],
    [[{ id: 'price', desc: false }], 'desc'],
  ] as const)('%j is read %s', (sorts, order) => {
    expect(toQuestion({ filters: {}, sorts }, ALWAYS).order).toBe(order);
  });

  it.each([
    ['2026-08-01 09:30', '2026-08-01T09:30:00Z'],
    ['2026-08-01T09:30:07Z', '2026-08-01T09:30:07Z'],
    ['2026-08-17T23:45:21.496334704Z', '2026-08-17T23:45:21.496334704Z'],
    ['now', 'now'],
    ['yesterday', 'yesterday'],
    ['2026-02-30', '2026-02-30'],
  ])('%s is a bound of %s', (text, time) => {
    expect(toRequest(toQuestion({ filters: {}, sorts: [] }, { ...ALWAYS, begin_time: text, end_time: text }))).toEqual({ begin_time: time, end_time: time, order: 'desc' });
  });

  it('is a day alone from its beginning to its end, which is no part of a range', () => {
    const asked = toRequest(toQuestion({ filters: {}, sorts: [] }, { ...ALWAYS, begin_time: '2026-08-31', end_time: ' 2026-08-31 ' }));
    expect(asked).toEqual({ begin_time: '2026-08-31T00:00:00Z', end_time: '2026-09-01T00:00:00Z', order: 'desc' });
  });
});

describe('a range', () => {
  const now = Date.parse('2026-08-17T12:00:00Z');
  const isOpen = (range: Partial<AskedTexts>) => isOpenEnded(toQuestion({ filters: {}, sorts: [] }, { ...ALWAYS, ...range }), now);

  it('is open for what is yet to come until its end has passed', () => {
    expect([isOpen({}), isOpen({ end_time: 'now' }), isOpen({ begin_time: '2026-08-01' }), isOpen({ end_time: '2026-08-17' })]).toEqual([true, true, true, true]);
    expect([isOpen({ end_time: '2026-08-16' }), isOpen({ day: '2026-08-15' })]).toEqual([false, false]);
    expect([isOpen({ day: '2026-08-17' }), isOpen({ day: '2026-08-18' })]).toEqual([true, true]);
  });

  it('that says nonsense counts as open: the desk refuses it by name', () => {
    expect(isOpen({ end_time: 'yesterday' })).toBe(true);
  });
});
