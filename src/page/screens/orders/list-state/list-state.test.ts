import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toOrdersAddress } from '#page/panels/orders-address.ts';
import { createFakeFrame } from '#testing/fake-frame.ts';
import { defaultGridState } from '#model/tables/grid.ts';
import { showColumns, toNamedColumns, toShownColumns, type ShownColumns } from '#model/tables/orders/column-layout.ts';
import { createOrderColumns } from '#model/tables/orders/columns.ts';
import { createLayoutStore, toLayout } from '#page/kit/grid/use-stored-grid.tsx';
import { readListState, writeListState, type ListState } from './list-query.ts';
import { createPrivateStore } from './resolve-link.ts';
import { addCodes } from '#model/orders/order-fields.ts';
import { joinState, splitState, type PrivateState } from './private-state.ts';
import { createViewStore, formatViews, parseViews } from '../saved-views/saved-views.ts';

const columns = createOrderColumns({ mostDigits: 2, zone: 'utc', isNarrow: false });
const ids = columns.map(({ id }) => id);
const codes = new Set(['HALC-101', 'NORD', 'f5439121']);
const NO_PRIVATE_STATE: PrivateState = { filters: {}, quick: '', view: '' };

const anyText = fc.oneof(
  fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' }),
  fc.constantFrom('A~1', '~', '%7E', '%25', 'A%~'),
);
const text = anyText.filter((value) => !/[\n\r\u2028\u2029]/.test(value));
const bound = fc.option(fc.integer().map((n) => n / 4));
const timeBound = fc.constantFrom(
  '',
  '1 h ago',
  'today',
  '2026-08-17',
  '2026-08-17 09:30',
  '2026-08-17T23:45:21.496334704Z',
);
const filter = fc.oneof(
  fc.record({ kind: fc.constantFrom('has' as const, 'starts' as const), text }),
  fc
    .record({ kind: fc.constant('within' as const), from: timeBound, to: timeBound })
    .filter(({ from, to }) => from + to !== ''),
  fc.record({
    kind: fc.constant('is' as const),
    texts: fc.array(fc.oneof(text, fc.constant('')), { minLength: 1, maxLength: 3 }),
  }),
  fc
    .record({ kind: fc.constant('between' as const), from: bound, to: bound })
    .filter(({ from, to }) => from !== null || to !== null),
);
const shownColumns = fc
  .tuple(fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1 }), fc.option(fc.tuple(fc.nat(2), fc.nat(2))))
  .map(([shown, pins]): ShownColumns => {
    if (pins === null) return { shown, pinned: null };
    const [start, rest] = [shown.slice(0, pins[0]), shown.slice(pins[0])];
    return { shown, pinned: { start, end: rest.slice(Math.max(0, rest.length - pins[1])) } };
  });
const name = fc.oneof(fc.constantFrom('', 'halc-101', 'PBTC nord'), text);
const listState: fc.Arbitrary<ListState> = fc.record({
  quick: name,
  view: name,
  sorts: fc.uniqueArray(fc.record({ id: fc.constantFrom(...ids), desc: fc.boolean() }), {
    selector: ({ id }) => id,
    maxLength: 3,
  }),
  grouping: fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 2 }),
  filters: fc.dictionary(fc.constantFrom(...ids), filter, { noNullPrototype: true }),
  columns: fc.option(shownColumns),
});

describe('the address of a list', () => {
  it('reads back as what was written', () => {
    fc.assert(
      fc.property(listState, (state) => {
        const query = new URLSearchParams();
        writeListState(query, state);
        expect(readListState(new URLSearchParams(query.toString()), ids)).toEqual(state);
      }),
    );
  });

  it.each([
    'f=nothing:is:x',
    'f=side',
    'f=side:was:Bid',
    'f=price:between:x~',
    'f=time:within:soon~',
    'f=id:starts:',
    'sort=-moon',
    'group=,',
    'cols=moon',
    'f=side:has:',
  ])('%s means the default list', (query) => {
    expect(readListState(new URLSearchParams(query), ids)).toEqual({
      quick: '',
      view: '',
      sorts: [],
      grouping: [],
      filters: {},
      columns: null,
    });
  });

  it.each([
    ['f=status:is:Working, partly filled~Gone~Filled', 'status', ['Partially filled', 'No longer working', 'Filled']],
    ['f=price:is:withheld', 'price', ['n/a']],
    ['f=account:is:Gone', 'account', ['Gone']],
  ])('of an earlier version filters by the present cell texts: %s', (query, id, texts) => {
    expect(readListState(new URLSearchParams(query), ids).filters).toEqual({ [id]: { kind: 'is', texts } });
  });

  it.each([
    ['status', 'partly', { kind: 'is', texts: ['Partially filled', 'Closed, partially filled'] }],
    ['status', 'Gone', { kind: 'is', texts: ['No longer working'] }],
    ['status', 'unfilled', { kind: 'has', text: 'unfilled' }],
    ['status', 'Halted', { kind: 'has', text: 'Halted' }],
    ['status', 'h', { kind: 'has', text: 'h' }],
    ['account', 'Gone', { kind: 'has', text: 'Gone' }],
    ['price', 'withheld', { kind: 'has', text: 'n/a' }],
    ['price', '1,250', { kind: 'has', text: '1,250' }],
  ])('of an earlier version searches %s for the present cell texts: %s', (id, text, filter) => {
    expect(readListState(new URLSearchParams(`f=${id}:has:${text}`), ids).filters).toEqual({ [id]: filter });
  });

  it('keeps the bound that is a time, in its usual spelling', () => {
    expect(readListState(new URLSearchParams('f=time:within:1h~soon'), ids).filters).toEqual({
      time: { kind: 'within', from: '1 h ago', to: '' },
    });
  });

  it('matches the links to the orders of a product', () => {
    const { searchParams } = new URL(toOrdersAddress('BUSX26-BUSF27+&:'), 'http://page');
    expect(readListState(searchParams, ids).filters).toEqual({ product: { kind: 'is', texts: ['BUSX26-BUSF27+&:'] } });
  });

  it('as it is identifies no owner without opt-in; with what a tab keeps it loses nothing', () => {
    fc.assert(
      fc.property(listState, (state) => {
        const { shared, tabOnly } = splitState(state, false, codes, NO_PRIVATE_STATE);
        expect(Object.keys(shared.filters).filter((id) => ['account', 'firm', 'connection'].includes(id))).toEqual([]);
        for (const code of codes)
          expect(`${shared.quick} ${shared.view}`.toLowerCase()).not.toContain(code.toLowerCase());
        expect(joinState(shared, tabOnly)).toEqual(state);
        expect(splitState(state, true, codes, NO_PRIVATE_STATE)).toEqual({ shared: state, tabOnly: NO_PRIVATE_STATE });
      }),
    );
  });

  it('omits the name of a view that contains an account it filters by, even without orders of it', () => {
    const view: ListState = {
      ...USUAL,
      filters: { account: { kind: 'is', texts: ['HALC-101'] } },
      view: 'Halc-101 resting',
    };
    expect(splitState(view, false, new Set(), NO_PRIVATE_STATE).shared.view).toBe('');
    expect(splitState({ ...view, view: 'Resting' }, false, new Set(), NO_PRIVATE_STATE).shared.view).toBe('Resting');
  });
});

const USUAL: ListState = { quick: '', view: '', sorts: [], grouping: [], filters: {}, columns: null };

/** Opens a tab with a list whose orders come and go. */
function openTab() {
  const store = createPrivateStore(createFakeFrame().frame, 'orders', ids);
  let [shared, known] = [USUAL, new Set() as ReadonlySet<string>];
  const read = () => joinState(shared, store.read());
  return {
    read,
    address: () => shared,
    known: () => known,
    set: (part: Partial<ListState>) => {
      const split = splitState({ ...read(), ...part }, false, known, store.read());
      shared = split.shared;
      store.write({ ...split.tabOnly, own: [] });
    },
    see: (accounts: readonly string[]) => {
      known = addCodes(
        known,
        accounts.map((account) => ({ account_id: account, clearing_firm_code: 'NORD', connection_id: 'f5439121' })),
      );
    },
    reload: () => {
      known = new Set();
    },
  };
}

const steps = fc.array(
  fc.oneof(
    fc.record({ quick: fc.constantFrom('', 'HALC-101', 'halc-101 bid', 'PBTC', 'SORA-7') }),
    fc.record({ view: fc.constantFrom('', 'HALC-101', 'Resting') }),
    fc.record({ sorts: fc.constantFrom([], [{ id: 'price', desc: true }]) }),
    fc.record({ see: fc.subarray(['HALC-101', 'SORA-7']) }),
    fc.constant('reload' as const),
  ),
);

describe('a list whose orders come and go', () => {
  it('never shares a text that once contained a code', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const tab = openTab();
        for (const step of all) {
          const before = { ...tab.read() };
          const wasPrivate = { quick: before.quick !== tab.address().quick, view: before.view !== tab.address().view };
          if (step === 'reload') tab.reload();
          else if ('see' in step) tab.see(step.see);
          else {
            tab.set(step);
            expect(tab.read()).toEqual({ ...before, ...step });
            for (const part of ['quick', 'view'] as const) {
              const text = tab.address()[part];
              for (const code of tab.known()) expect(text.toLowerCase()).not.toContain(code.toLowerCase());
              if (wasPrivate[part] && tab.read()[part] === before[part]) expect(text).toBe('');
            }
          }
        }
      }),
    );
  });

  it('remembers the codes of orders that have left the list', () => {
    const tab = openTab();
    tab.see(['HALC-101']);
    tab.see(['SORA-7']);
    tab.set({ quick: 'HALC-101' });
    expect(tab.address().quick).toBe('');
  });

  it('keeps an edited text private before any order is read', () => {
    const tab = openTab();
    tab.see(['HALC-101']);
    tab.set({ quick: 'HALC-101', view: 'HALC-101' });
    tab.reload();
    for (const quick of ['HALC-10', 'HALC-102', 'HALC-102 ask']) {
      tab.set({ quick });
      expect(tab.address()).toMatchObject({ quick: '', view: '' });
    }
    tab.set({ quick: 'ETH' });
    expect(tab.address().quick).toBe('ETH');
  });
});

describe('the private state of a tab', () => {
  const tabOnly = {
    filters: { account: { kind: 'is', texts: ['A'] }, firm: { kind: 'is', texts: ['NORD'] } },
    quick: 'halc',
    view: 'HALC',
  } as const;
  const link = readListState(new URLSearchParams('f=account:is:B&q=ETH'), ids);

  it('yields to the address', () => {
    expect(joinState(link, tabOnly)).toMatchObject({
      filters: { account: { texts: ['B'] }, firm: { texts: ['NORD'] } },
      quick: 'ETH',
      view: 'HALC',
    });
  });
});

describe('columns', () => {
  const defaults = defaultGridState(columns);

  const few: ShownColumns = { shown: ['id', 'side', 'price'], pinned: { start: ['id'], end: [] } };

  it('are in the address unless they are the defaults, and read back with their pins', () => {
    expect(toNamedColumns(defaults, defaults)).toBeNull();
    const layout = showColumns(defaults, few);
    expect(layout.order).toHaveLength(ids.length);
    expect(toNamedColumns(layout, defaults)).toEqual(few);
    const unpinned = { ...defaults, pinned: { start: [], end: [] } };
    expect(showColumns(defaults, toNamedColumns(unpinned, defaults)).pinned).toEqual(unpinned.pinned);
  });

  it('that are the defaults are in the address if the browser stores others', () => {
    const kept = showColumns(defaults, few);
    expect(toNamedColumns(defaults, defaults, kept)).toEqual(toShownColumns(defaults));
    expect(toNamedColumns(kept, defaults, kept)).toEqual(few);
  });

  it('that are hidden keep their places', () => {
    const hidden = { ...defaults, hidden: [...defaults.hidden, 'side'] };
    const layout = showColumns(hidden, toNamedColumns(hidden, defaults));
    expect({ ...layout, hidden: defaults.hidden }).toEqual(defaults);
  });

  it('of a link without pins keep the reader’s pins', () => {
    const { columns: named } = readListState(new URLSearchParams('cols=id,side'), ids);
    expect(showColumns({ ...defaults, pinned: few.pinned ?? defaults.pinned }, named)).toMatchObject({
      order: expect.arrayContaining(['id', 'side']) as unknown,
      pinned: few.pinned,
    });
  });

  it('are stored in the browser until they are reset', () => {
    const { frame } = createFakeFrame();
    const store = createLayoutStore(frame, 'orders', ids);
    expect(store.read()).toEqual({});
    const changed = { ...showColumns(defaults, few), widths: { id: 300 } };
    store.write(toLayout(changed));
    const { order, hidden, pinned, widths } = changed;
    expect(createLayoutStore(frame, 'orders', ids).read()).toEqual({ order, hidden, pinned, widths });
    store.clear();
    expect(store.read()).toEqual({});
    expect(createLayoutStore(frame, 'orders', ids).read()).toEqual({});
  });

  it.each([
    ['of another version', { version: 2 }],
    ['with an unknown column', { version: 1, order: [...ids.slice(1), 'moon'] }],
    ['with a column twice', { version: 1, order: [...ids, ids[0]] }],
  ])('are the defaults if the stored layout is %s', (_, change) => {
    const layout = { order: ids, hidden: [], widths: {}, pinned: { start: [], end: [] }, ...change };
    const { frame } = createFakeFrame({ 'perpdesk.orders.layout': JSON.stringify(layout) });
    expect(createLayoutStore(frame, 'orders', ids).read()).toEqual({});
  });

  it('that are newer than the stored layout follow the column before them, hidden', () => {
    const [first, second, third, ...rest] = ids;
    const layout = {
      version: 1,
      order: [...rest, third, first],
      hidden: rest.slice(0, 1),
      widths: {},
      pinned: { start: [], end: [] },
    };
    const { frame } = createFakeFrame({ 'perpdesk.orders.layout': JSON.stringify(layout) });
    expect(createLayoutStore(frame, 'orders', ids).read()).toMatchObject({
      order: [...rest, third, first, second],
      hidden: [...rest.slice(0, 1), second],
    });
  });
});

describe('saved views', () => {
  it('read back from a file', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ name: fc.string(), query: fc.string() })), (views) => {
        expect(parseViews(formatViews(views, 'orders'), 'orders')).toEqual(views);
      }),
    );
  });

  it.each(['', 'no json', '[]', '{"version":2,"views":[]}', '{"version":1,"views":[{"name":1}]}'])(
    'the file %j is rejected',
    (file) => {
      expect(parseViews(file, 'orders')).toBeNull();
    },
  );

  it('replace a view of the same name, and are stored in the browser', () => {
    const { frame } = createFakeFrame();
    const store = createViewStore(frame, 'orders');
    store.save([
      { name: 'b', query: 'q=1' },
      { name: 'a', query: '' },
    ]);
    store.save([{ name: 'b', query: 'q=2' }]);
    const kept = [
      { name: 'a', query: '' },
      { name: 'b', query: 'q=2' },
    ];
    expect(store.read()).toEqual(kept);
    expect(createViewStore(frame, 'orders').read()).toEqual(kept);
    store.remove('a');
    expect(createViewStore(frame, 'orders').read()).toEqual([{ name: 'b', query: 'q=2' }]);
  });
});

it('addresses of earlier versions name an account, clearing firm or connection without a kind', () => {
  const query = new URLSearchParams('account=HALC-101&firm=HALC&f=firm:has:MERI');
  const state = readListState(query, ['account', 'firm']);
  expect(state.filters).toEqual({
    account: { kind: 'is', texts: ['HALC-101'] },
    firm: { kind: 'has', text: 'MERI' },
  });
  writeListState(query, state);
  expect(query.getAll('f')).toEqual(['account:is:HALC-101', 'firm:has:MERI']);
  expect([query.has('account'), query.has('firm')]).toEqual([false, false]);
});
