import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toOrdersAddress } from '#domain/orders-address.ts';
import { createFakeFrame } from '#testing/fake-frame.ts';
import { usualGridState } from '#ui/grid/grid-state.ts';
import { showColumns, toNamedColumns, toShownColumns, type ShownColumns } from './column-layout.ts';
import { createOrderColumns } from './columns.ts';
import { createLayoutStore, toLayout } from '#ui/grid/layout-store.ts';
import { readListState, writeListState, type ListState } from './order-state-text.ts';
import { createOwnStore } from './own-store.ts';
import { withCodesOf } from './private-codes.ts';
import { joinState, splitState, type OwnState } from './private-state.ts';
import { createViewStore, formatViews, parseViews } from './saved-views.ts';

const columns = createOrderColumns({ mostDigits: 2, zone: 'utc', isNarrow: false });
const ids = columns.map(({ id }) => id);
const codes = new Set(['HALC-101', 'NORD', 'f5439121']);
const NOTHING_OWN: OwnState = { filters: {}, quick: '', view: '' };

const anyText = fc.oneof(fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' }), fc.constantFrom('A~1', '~', '%7E', '%25', 'A%~'));
const text = anyText.filter((value) => !/[\n\r\u2028\u2029]/.test(value));
const bound = fc.option(fc.integer().map((n) => n / 4));
const filter = fc.oneof(
  fc.record({ kind: fc.constant('has' as const), text }),
  fc.record({ kind: fc.constant('is' as const), texts: fc.array(fc.oneof(text, fc.constant('')), { minLength: 1, maxLength: 3 }) }),
  fc.record({ kind: fc.constant('between' as const), from: bound, to: bound }).filter(({ from, to }) => from !== null || to !== null),
);
const shownColumns = fc.tuple(fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1 }), fc.option(fc.tuple(fc.nat(2), fc.nat(2)))).map(([shown, pins]): ShownColumns => {
  if (pins === null) return { shown, pinned: null };
  const [start, rest] = [shown.slice(0, pins[0]), shown.slice(pins[0])];
  return { shown, pinned: { start, end: rest.slice(Math.max(0, rest.length - pins[1])) } };
});
const name = fc.oneof(fc.constantFrom('', 'halc-101', 'PBTC nord'), text);
const listState: fc.Arbitrary<ListState> = fc.record({
  quick: name,
  view: name,
  sorts: fc.uniqueArray(fc.record({ id: fc.constantFrom(...ids), desc: fc.boolean() }), { selector: ({ id }) => id, maxLength: 3 }),
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

  it.each(['f=nothing:is:x', 'f=side', 'f=side:was:Bid', 'f=price:between:x~', 'sort=-moon', 'group=,', 'cols=moon', 'f=side:has:'])('%s means the usual list', (query) => {
    expect(readListState(new URLSearchParams(query), ids)).toEqual({ quick: '', view: '', sorts: [], grouping: [], filters: {}, columns: null });
  });

  it('is what links to the orders of a product lead to', () => {
    const { searchParams } = new URL(toOrdersAddress('BUSX26-BUSF27+&:'), 'http://page');
    expect(readListState(searchParams, ids).filters).toEqual({ product: { kind: 'is', texts: ['BUSX26-BUSF27+&:'] } });
  });

  it('never names whose orders they are, unless the reader wants it to; nothing is lost by that', () => {
    fc.assert(
      fc.property(listState, (state) => {
        const { open, own } = splitState(state, false, codes, NOTHING_OWN);
        expect(Object.keys(open.filters).filter((id) => ['account', 'firm', 'connection'].includes(id))).toEqual([]);
        for (const code of codes) expect(`${open.quick} ${open.view}`.toLowerCase()).not.toContain(code.toLowerCase());
        expect(joinState(open, own, false)).toEqual(state);
        expect(splitState(state, true, codes, NOTHING_OWN)).toEqual({ open: state, own: NOTHING_OWN });
      }),
    );
  });

  it('does not name a view after an account that no order is of, where the view asks for that account', () => {
    const view: ListState = { ...USUAL, filters: { account: { kind: 'is', texts: ['HALC-101'] } }, view: 'Halc-101 resting' };
    expect(splitState(view, false, new Set(), NOTHING_OWN).open.view).toBe('');
    expect(splitState({ ...view, view: 'Resting' }, false, new Set(), NOTHING_OWN).open.view).toBe('Resting');
  });
});

const USUAL: ListState = { quick: '', view: '', sorts: [], grouping: [], filters: {}, columns: null };

/** A tab with a list, whose orders come and go. */
function openTab() {
  const store = createOwnStore(createFakeFrame().frame, 'orders', ids);
  let [open, known] = [USUAL, new Set() as ReadonlySet<string>];
  const read = () => joinState(open, store.read(), false);
  return {
    read,
    address: () => open,
    known: () => known,
    set: (part: Partial<ListState>) => {
      const split = splitState({ ...read(), ...part }, false, known, store.read());
      open = split.open;
      store.write(split.own);
    },
    see: (accounts: readonly string[]) => {
      known = withCodesOf(known, accounts.map((account) => ({ account_id: account, clearing_firm_code: 'NORD', connection_id: 'f5439121' })));
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
  it('lets no text out that named a code once, whatever is done to the list', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const tab = openTab();
        for (const step of all) {
          const before = { ...tab.read() };
          const wasKept = { quick: before.quick !== tab.address().quick, view: before.view !== tab.address().view };
          if (step === 'reload') tab.reload();
          else if ('see' in step) tab.see(step.see);
          else {
            tab.set(step);
            expect(tab.read()).toEqual({ ...before, ...step });
            for (const part of ['quick', 'view'] as const) {
              const told = tab.address()[part];
              for (const code of tab.known()) expect(told.toLowerCase()).not.toContain(code.toLowerCase());
              if (wasKept[part] && tab.read()[part] === before[part]) expect(told).toBe('');
            }
          }
        }
      }),
    );
  });

  it('keeps the codes of orders that are gone', () => {
    const tab = openTab();
    tab.see(['HALC-101']);
    tab.see(['SORA-7']);
    tab.set({ quick: 'HALC-101' });
    expect(tab.address().quick).toBe('');
  });

  it('keeps what is in this tab while it is written on, before any order is read', () => {
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

describe('what a tab keeps for itself', () => {
  const own = { filters: { account: { kind: 'is', texts: ['A'] }, firm: { kind: 'is', texts: ['NORD'] } }, quick: 'halc', view: 'HALC' } as const;
  const link = readListState(new URLSearchParams('f=account:is:B&q=ETH'), ids);

  it('stays out of what an address says that may name codes', () => {
    expect(joinState(link, own, true)).toEqual(link);
  });

  it('yields to what an address says', () => {
    expect(joinState(link, own, false)).toMatchObject({ filters: { account: { texts: ['B'] }, firm: { texts: ['NORD'] } }, quick: 'ETH', view: 'HALC' });
  });
});

describe('columns', () => {
  const usual = usualGridState(columns);

  const few: ShownColumns = { shown: ['id', 'side', 'price'], pinned: { start: ['id'], end: [] } };

  it('as usual are not in the address; others are, and come back, pins included', () => {
    expect(toNamedColumns(usual, usual)).toBeNull();
    const layout = showColumns(usual, few);
    expect(layout.order).toHaveLength(ids.length);
    expect(toNamedColumns(layout, usual)).toEqual(few);
    const unpinned = { ...usual, pinned: { start: [], end: [] } };
    expect(showColumns(usual, toNamedColumns(unpinned, usual)).pinned).toEqual(unpinned.pinned);
  });

  it('as usual are in the address where the browser keeps others', () => {
    const kept = showColumns(usual, few);
    expect(toNamedColumns(usual, usual, kept)).toEqual(toShownColumns(usual));
    expect(toNamedColumns(kept, usual, kept)).toEqual(few);
  });

  it('that are hidden keep their place for when they are shown again', () => {
    const hidden = { ...usual, hidden: [...usual.hidden, 'side'] };
    const layout = showColumns(hidden, toNamedColumns(hidden, usual));
    expect({ ...layout, hidden: usual.hidden }).toEqual(usual);
  });

  it('of a link that names no pins are pinned as the reader has them', () => {
    const { columns: named } = readListState(new URLSearchParams('cols=id,side'), ids);
    expect(showColumns({ ...usual, pinned: few.pinned ?? usual.pinned }, named)).toMatchObject({ order: expect.arrayContaining(['id', 'side']) as unknown, pinned: few.pinned });
  });

  it('are kept in the browser until they are reset', () => {
    const { frame } = createFakeFrame();
    const store = createLayoutStore(frame, 'orders', ids);
    expect(store.read()).toEqual({});
    const changed = { ...showColumns(usual, few), widths: { id: 300 } };
    store.write(toLayout(changed));
    const { order, hidden, pinned, widths } = changed;
    expect(createLayoutStore(frame, 'orders', ids).read()).toEqual({ order, hidden, pinned, widths });
    store.forget();
    expect(store.read()).toEqual({});
    expect(createLayoutStore(frame, 'orders', ids).read()).toEqual({});
  });

  it.each([
    ['of another version', { version: 2 }],
    ['that names a column there is not', { version: 1, order: [...ids.slice(1), 'moon'] }],
    ['that lacks a column', { version: 1, order: ids.slice(1) }],
  ])('as usual where a layout is stored %s', (_, change) => {
    const layout = { order: ids, hidden: [], widths: {}, pinned: { start: [], end: [] }, ...change };
    const { frame } = createFakeFrame({ 'perpdesk.orders.layout': JSON.stringify(layout) });
    expect(createLayoutStore(frame, 'orders', ids).read()).toEqual({});
  });
});

describe('saved views', () => {
  it('come back from a file as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ name: fc.string(), query: fc.string() })), (views) => {
        expect(parseViews(formatViews(views))).toEqual(views);
      }),
    );
  });

  it.each(['', 'no json', '[]', '{"version":2,"views":[]}', '{"version":1,"views":[{"name":1}]}'])('the file %j is refused', (file) => {
    expect(parseViews(file)).toBeNull();
  });

  it('one of the same name takes the place of the other, and the browser keeps them', () => {
    const { frame } = createFakeFrame();
    const store = createViewStore(frame);
    store.save([{ name: 'b', query: 'q=1' }, { name: 'a', query: '' }]);
    store.save([{ name: 'b', query: 'q=2' }]);
    const kept = [{ name: 'a', query: '' }, { name: 'b', query: 'q=2' }];
    expect(store.read()).toEqual(kept);
    expect(createViewStore(frame).read()).toEqual(kept);
    store.remove('a');
    expect(createViewStore(frame).read()).toEqual([{ name: 'b', query: 'q=2' }]);
  });
});
