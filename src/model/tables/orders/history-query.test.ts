import { describe, expect, it } from 'vitest';
import {
  describeScope,
  isOpenEnded,
  NARROWER_TYPES,
  type QueryTexts,
  readTypes,
  REPORTED_TYPES,
  toHistoryQuery,
  toLocalFilter,
  toReportedType,
  toRequest,
  toTypeChoice,
  toTypeFilter,
  withoutLocalFilter,
  writeTypes,
} from './history-query.ts';
import type { GridFilter } from '../grid.ts';

it.each([
  ['product', { kind: 'is', texts: ['PBTCUCZ50'] }, 'Filtered by the exchange.'],
  [
    'product',
    { kind: 'is', texts: ['PBTCUCZ50', 'PETHUIZ50'] },
    'Applies to loaded orders only. The exchange filters by one value.',
  ],
  [
    'product',
    undefined,
    'The exchange filters by one exact value. Several values, or “Contains”, apply to loaded orders only.',
  ],
  [
    'type',
    { kind: 'is', texts: ['Perpetual'] },
    'The exchange filters by Future, which includes perpetuals; the rest applies to loaded orders only.',
  ],
  [
    'time',
    undefined,
    'Applies to loaded orders only. To have the exchange filter by time, set From and To above the list.',
  ],
  ['price', undefined, 'Applies to loaded orders only.'],
] as const)('a filter of %s by %j: %s', (columnId, filter, sentence) => {
  expect(describeScope(columnId, filter)).toBe(sentence);
});

const is = (...texts: readonly string[]): GridFilter => ({ kind: 'is', texts });
const TEXTS = { product_id: '', day: '', begin_time: '', end_time: '' };

describe('product types of the history', () => {
  it.each<[GridFilter, string | undefined, boolean]>([
    [is('Perpetual'), 'Future', true],
    [is('Future'), 'Future', true],
    [is('Future', 'Perpetual'), 'Future', false],
    [is('Option'), 'Option', false],
    [is('Swap'), 'Swap', false],
    [is('Option', 'Perpetual'), undefined, true],
    [{ kind: 'has', text: 'Per' }, undefined, true],
  ])('%j are requested as %s, and narrowed here: %s', (type, requested, isNarrowed) => {
    const filters = { type };
    expect(toRequest(toHistoryQuery({ filters, sorts: [] }, TEXTS, 0))).toEqual({
      order: 'desc',
      ...(requested !== undefined && { product_type: requested }),
    });
    expect('type' in toLocalFilter({ filters, quick: '' }).filters).toBe(isNarrowed);
  });

  it('keep the meaning of addresses of the time when perpetuals were listed as Future', () => {
    expect(readTypes({ filters: { type: is('Future') } }).filters).toEqual({ type: is('Future', 'Perpetual') });
    expect(readTypes({ filters: { type: is('Option', 'Spread'), side: is('Future') } }).filters).toEqual({
      type: is('Option', 'Spread'),
      side: is('Future'),
    });
  });

  it.each([...REPORTED_TYPES, ...NARROWER_TYPES])(
    '%s is one choice, before and after it was in an address',
    (choice) => {
      const filter = toTypeFilter(choice);
      expect(toTypeChoice(filter ?? undefined)).toBe(choice);
      const state = { filters: filter === null ? {} : { type: filter } };
      expect(readTypes(writeTypes(state))).toEqual(state);
    },
  );

  it('of any kind are no choice', () => {
    expect([
      toTypeFilter(''),
      toTypeChoice(undefined),
      toTypeChoice(is('Option', 'Spread')),
      toReportedType(undefined),
    ]).toEqual([null, '', '', null]);
  });
});

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
