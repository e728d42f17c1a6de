// These tests read what the previous version stored in a browser: preferences, column layouts, favourites, saved views
// and the filters of a tab.
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findDefaultProduct } from '#model/products/product-directory.ts';
import { defaultGridState, formatSort, type GridColumn, type GridState } from '#model/tables/grid.ts';
import { type ColumnLayout, createLayoutStore, useStoredGrid } from '#page/kit/grid/use-stored-grid.tsx';
import { parseAddress } from '#page/kit/navigator.ts';
import { createPreferenceStore } from '#page/kit/preferences.ts';
import { useLastViewed } from '#page/kit/last-viewed.ts';
import { UNREAD_PREDICTED_RATES } from '#model/tables/funding/compare-predictions.ts';
import { COMPARE_PARAMS } from '#model/tables/funding/compare-params.ts';
import { createCompareColumns, type ColumnInputs } from '#model/tables/funding/compare-columns.ts';
import { toChosenWindow, toNamedWindows } from '#model/tables/funding/realised.ts';
import { createColumns, type ColumnContext } from '#page/screens/markets/grid/columns.ts';
import { toTyped, toTypedLayout } from '#page/screens/markets/grid/adapt-columns.ts';
import { sorting, typeFilter } from '#model/tables/markets/market-list.ts';
import { createPendingColumns } from '#model/tables/markets/pending-columns.ts';
import { createWatchlistStore } from '#page/panels/products/watchlist-store.ts';
import { createOrderColumns } from '#model/tables/orders/columns.ts';
import { describeFilters } from '#model/tables/orders/filter-text.ts';
import { toHistoryQuery } from '#model/tables/orders/history-query.ts';
import { showColumns, toShownColumns } from '#model/tables/orders/column-layout.ts';
import { readListState, writeListState, type ListState } from '#page/screens/orders/list-state/list-query.ts';
import { NO_PRIVATE_STATE, splitState } from '#page/screens/orders/list-state/private-state.ts';
import { createPrivateStore, resolveLink } from '#page/screens/orders/list-state/resolve-link.ts';
import { createViewStore, formatViews, parseViews, VIEWS_OF } from '#page/screens/orders/saved-views/saved-views.ts';
import { earlierBrowser } from '#testing/earlier-version/browser.ts';
import { createFakeFrame } from '#testing/fake-frame.ts';
import { applyAppearance } from './browser.ts';

const { localStorage: stored, sessionStorage: storedInTab, ordersAddress, viewsFile, looks } = earlierBrowser;

let { frame } = createFakeFrame();
beforeEach(() => {
  ({ frame } = createFakeFrame(stored));
  vi.stubGlobal('window', frame);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** Returns the result of a hook at the first render of a page. */
function callHook<Result>(hook: () => Result): Result {
  const results: Result[] = [];
  const Caller = (): null => {
    results.push(hook());
    return null;
  };
  renderToStaticMarkup(<Caller />);
  const [result] = results;
  if (result === undefined) throw new Error('The hook was not called.');
  return result;
}

const nothing = {} as never;
const marketColumns = createColumns({
  alignedDigits: 5,
  shown: { closed: false, last: false, settlement: false, interest: false },
  interestDays: '',
  settled: '',
  toVenueTime: (now) => now,
  navigator: nothing,
  clock: nothing,
  star: nothing,
  ...createPendingColumns(false),
  trend: undefined,
  marks: null,
} satisfies ColumnContext);
const orderColumns = createOrderColumns({ mostDigits: 2, zone: 'utc', isNarrow: false });
const orderIds = orderColumns.map(({ id }) => id);

/** Columns that the previous version did not have. */
const NEWER = ['percentile', 'estimate-form', 'excess'];

/** Describes the columns as a grid's head shows them: id, pinned side and sort direction. */
function toHeads(state: GridState, columns: readonly GridColumn<never>[]): readonly string[] {
  const { shown } = toShownColumns(state);
  return shown
    .filter((id) => !NEWER.includes(id))
    .map((id) => {
      const sort = state.sorts.find((level) => level.id === id);
      const order = sort === undefined ? 'none' : sort.desc ? 'descending' : 'ascending';
      const isSortable = columns.find((column) => column.id === id)?.unsorted !== true;
      return `${id} ${state.pinned.start.includes(id) ? 'start' : ''} ${isSortable ? order : ''}`.trim();
    });
}

const OWN = ['Account is HALC-101 or MERI-111', 'Clearing firm is HALC'];

const looksAt = (start: RegExp) =>
  looks.filter(({ address, columns = [] }) => start.test(address) && columns.length > 0);

describe('a column layout of the version before', () => {
  it.each(looksAt(/^\/(?:\?|$)/))('is that of Markets: $address', ({ address, columns }) => {
    const { query } = parseAddress(address);
    const type = typeFilter.read(query);
    const typed = toTyped(marketColumns, type);
    const special = {
      name: `markets-${type}`,
      inherited: { name: 'markets', adapt: (layout: ColumnLayout) => toTypedLayout(layout, type) },
    };
    const names = type === 'all' ? { name: 'markets' } : special;
    const { state } = callHook(() =>
      useStoredGrid({
        ...names,
        columns: typed,
        arrangement: { sorts: sorting.read(query) },
        arrange: () => undefined,
      }),
    );
    // Futures have no funding, so its columns are now hidden unless someone arranged the columns of futures.
    const hidden = type === 'future' ? ['funding', 'estimate', 'apr', 'boundary'] : [];
    expect(toHeads(state, typed)).toEqual(columns?.filter((head) => !hidden.includes(head.split(' ')[0] ?? '')));
  });

  it('is that of Funding', () => {
    const [look] = looksAt(/^\/funding\?range/);
    const { query } = parseAddress(look?.address ?? '');
    const columns = createCompareColumns(compareParts(query));
    const { state } = callHook(() =>
      useStoredGrid({
        name: 'funding',
        columns,
        arrangement: { sorts: COMPARE_PARAMS.sorting.read(query) },
        arrange: () => undefined,
      }),
    );
    // The last column belongs to the table of spreads.
    expect(toHeads(state, columns)).toEqual(look?.columns?.slice(0, -1));
  });

  it.each(looksAt(/^\/orders(?:\?|$)/))('is that of working orders: $address', ({ address, columns }) => {
    expect(toHeads(toOrderState(parseAddress(address).query, 'orders'), orderColumns)).toEqual(columns);
  });

  it.each(looksAt(/^\/orders\/history/))('is that of the order history: $address', ({ address, columns }) => {
    const state = toOrderState(parseAddress(address).query, 'history');
    const { order } = toHistoryQuery(state, { product_id: '', day: '', begin_time: '', end_time: '' }, 0);
    const sorted = { ...state, sorts: [{ id: 'time', desc: order === 'desc' }] };
    // The exchange sorts the history only by time.
    expect(toHeads(sorted, orderColumns).map(toId)).toEqual(columns?.map(toId));
    expect(columns).toContain(`time  ${order === 'desc' ? 'descending' : 'ascending'}`);
  });

  it.each([
    ['markets', marketColumns.map(({ id }) => id), { symbol: 190, volumeUsd: 76 }],
    ['funding', createCompareColumns(compareParts(new URLSearchParams())).map(({ id }) => id), { settled: 118 }],
    ['orders', orderIds, { price: 156 }],
    ['history', orderIds, { time: 204 }],
  ] as const)('keeps widths: %s', (name, ids, widths) => {
    expect(createLayoutStore(frame, name, ids).read().widths).toEqual(widths);
  });
});

function toId(head: string): string {
  return head.split(' ').slice(0, 2).join(' ');
}

function compareParts(query: URLSearchParams): ColumnInputs {
  const { form, side, rankBy, window } = COMPARE_PARAMS;
  const read = {
    form: form.read(query),
    side: side.read(query),
    rankBy: rankBy.read(query),
    chosen: toChosenWindow(window.read(query), 0),
  };
  return {
    ...read,
    windows: toNamedWindows(0),
    past: '90d',
    awaitsInterest: false,
    underlyingOf: () => '',
    isPicked: () => false,
    clock: nothing,
    toVenueTime: (now) => now,
    missingBecause: null,
    predictedRates: UNREAD_PREDICTED_RATES,
    source: nothing,
  };
}

/** Returns a list's state: its default columns, changed first by storage and then by the address. */
function toOrderState(query: URLSearchParams, name: string): GridState {
  const { columns, ...list } = readListState(query, orderIds);
  return {
    ...showColumns({ ...defaultGridState(orderColumns), ...createLayoutStore(frame, name, orderIds).read() }, columns),
    ...list,
  };
}

describe('an address of a list of the version before', () => {
  it.each(looksAt(/^\/orders/))('filters and groups as it did: $address', ({ address, fields, selects }) => {
    const { quick, grouping, filters } = readListState(parseAddress(address).query, orderIds);
    const isHistory = address.startsWith('/orders/history');
    expect(quick).toBe(fields?.at(isHistory ? -1 : 0));
    const type = filters['type']?.kind === 'is' ? filters['type'].texts.join() : '';
    expect(isHistory ? type : grouping.join()).toBe((selects as readonly string[])[0]);
  });

  it.each([
    [
      /^\/orders\?q=bt/,
      [
        'Side is Bid',
        'Working qty 2 to 40',
        'Product contains BT',
        'Status is Working or Partially filled',
        'Any column contains bt',
      ],
    ],
    [/^\/orders\?codes/, OWN],
    [
      /^\/orders\/history\?from/,
      [
        'Product type is Future',
        'Status is Closed, unfilled or Closed, partially filled',
        'Price is n/a',
        'Any column contains 1',
      ],
    ],
  ])('has these filters: %s', (start, filters) => {
    const address = looks.find((look) => start.test(look.address))?.address ?? '';
    expect(describeFilters(orderColumns, readListState(parseAddress(address).query, orderIds))).toEqual(filters);
  });
});

describe('what the version before stored', () => {
  it('sets theme, colours, density and keys', () => {
    const preferences = createPreferenceStore(frame);
    const dataset: Record<string, string> = {};
    applyAppearance(preferences, { dataset } as unknown as HTMLElement);
    for (const { theme } of looks) expect([dataset['theme'], dataset['palette'], dataset['density']]).toEqual(theme);
    expect(preferences.read()).toMatchObject({ zone: 'chicago', singleKeys: 'off' });
  });

  it('has the favourites and the product viewed last', () => {
    expect(createWatchlistStore(frame).read()).toEqual([
      { id: 'favourites', name: 'Favourites', products: [5614, 5609, 5608] },
    ]);
    const directory = [
      { product_id: 1, symbol: 'PBTCUCZ50' },
      { product_id: 2, symbol: 'PSOLUSZ50' },
    ] as unknown as Parameters<typeof findDefaultProduct>[0];
    expect(
      findDefaultProduct(
        directory,
        callHook(() => useLastViewed('product', null)),
      )?.name,
    ).toBe('PSOLUSZ50');
  });

  it('has views that are written to a file in the same form', () => {
    const views = createViewStore(frame, 'orders').read();
    expect(parseViews(viewsFile, 'orders')).toEqual(views);
    expect(formatViews(views, 'orders')).toBe(viewsFile);
    expect(VIEWS_OF.orders.fileName).toBe('perpdesk-order-views');
  });
});

const COLUMNS = [
  'side',
  'product',
  'account',
  'type',
  'price',
  'remaining',
  'filled',
  'notional',
  'avgPrice',
  'firm',
  'connection',
  'status',
  'age',
  'time',
  'lastModified',
  'id',
  'ack',
];

/** Returns the part of the state that an address contains, without codes of owners. */
function toAddress(state: ListState): string {
  const query = new URLSearchParams();
  writeListState(query, splitState(state, false, new Set(), NO_PRIVATE_STATE).shared);
  return query.toString();
}

describe('a saved view of the version before', () => {
  it.each([
    [
      'Our own, partly filled',
      [...OWN, 'Working qty at least 2', 'Status is Partially filled or Working'],
      { group: 'account', sort: '-remaining' },
    ],
    ['Partly', [...OWN, 'Status is Partially filled or Closed, partially filled'], { group: 'product', sort: '' }],
    ['Prices withheld', [...OWN, 'Price is n/a'], { group: '', sort: 'product,-remaining' }],
  ] as const)(
    'filters, sorts, groups and lays out as before, and names no account in the address: %s',
    (name, filters, { group, sort }) => {
      const views = createViewStore(frame, 'orders').read();
      expect(views).toHaveLength(3);
      const state = readListState(new URLSearchParams(views.find((view) => view.name === name)?.query), orderIds);
      expect(describeFilters(orderColumns, state)).toEqual(filters);
      expect({ group: state.grouping.join(), sort: formatSort(state.sorts), columns: state.columns?.shown }).toEqual({
        group,
        sort,
        columns: COLUMNS,
      });
      expect(toAddress(state)).not.toMatch(/HALC|MERI/);
      expect(readListState(new URLSearchParams(toAddress(state)), orderIds)).toMatchObject({
        grouping: state.grouping,
        sorts: state.sorts,
        columns: state.columns,
      });
    },
  );
});

it('the filters of a tab of the version before are still there, and stay out of its address', () => {
  for (const [key, text] of Object.entries(storedInTab)) frame.sessionStorage.setItem(key, text);
  const shared = readListState(parseAddress(ordersAddress).query, orderIds);
  const { list } = resolveLink({
    shared,
    own: [],
    kept: createPrivateStore(frame, 'orders', orderIds).read(),
    table: null,
    optedIn: false,
  });
  expect(describeFilters(orderColumns, list)).toEqual([
    ...OWN,
    'Working qty at least 2',
    'Status is Partially filled or Working',
  ]);
  expect(toAddress(list)).not.toMatch(/HALC|MERI/);
});
