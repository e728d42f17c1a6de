import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderLists, readOrders, readOrderText, toRows } from '#testing/order-rows.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { type OrderRow, toRowStatus } from './order-row.ts';
import { diffRows } from '#contract/parse/row-diff.ts';
import {
  countChanges,
  createTrackedOrders,
  explainGone,
  findUnexplained,
  listRows,
  markSeen,
  trackOrders,
  type TrackedOrders,
} from './tracked-orders.ts';
import { compareNewest } from './working-set.ts';

const WHOLE = { complete: true };
const FOR_EVER = { at: 0, keepMs: Infinity };

/** Tracks a reading as the list does, and counts beforehand what it would change. */
function track(
  tracked: TrackedOrders,
  rows: readonly OrderRow[],
  { complete }: { readonly complete: boolean },
  keep = FOR_EVER,
): TrackedOrders & { readonly changeCount: number } {
  const update = { diff: diffRows(tracked.rows, rows, ({ order }) => order.id), complete, ...keep };
  return { ...trackOrders(tracked, rows, update), changeCount: countChanges(tracked, update) };
}

const rowsOf = (fields: readonly object[]) => toRows(readOrders(fields).toSorted(compareNewest));
const idsOf = (rows: ReturnType<typeof rowsOf>) => rows.map(({ order }) => order.id);

describe('tracked orders', () => {
  it('mark added, changed and removed orders like a plain comparison of two responses', () => {
    fc.assert(
      fc.property(orderLists, orderLists, (before, after) => {
        const next = rowsOf(after);
        const tracked = track(createTrackedOrders(rowsOf(before)), next, WHOLE);
        const old = new Map(before.map((fields) => [fields.id, fields]));
        expect(tracked.rows).toBe(next);
        for (const fields of after) {
          const known = old.get(fields.id);
          const mark = tracked.marks.get(fields.id as never);
          const changed =
            known === undefined
              ? []
              : Object.keys(fields).filter(
                  (name) => known[name as keyof typeof known] !== fields[name as keyof typeof fields],
                );
          if (known === undefined) expect(mark).toEqual({ kind: 'added' });
          else if (changed.length === 0) expect(mark).toBeUndefined();
          else expect(mark).toEqual({ kind: 'changed', fields: new Set(changed) });
        }
        const gone = before.filter(({ id }) => !after.some((other) => other.id === id)).map(({ id }) => id);
        expect(idsOf(tracked.gone).toSorted()).toEqual(gone.toSorted());
        expect(tracked.changeCount).toBe(tracked.marks.size);
      }),
    );
  });

  it('keep every mark through later responses until it is seen', () => {
    fc.assert(
      fc.property(fc.array(orderLists, { minLength: 2, maxLength: 5 }), (responses) => {
        const [first = [], ...rest] = responses.map(rowsOf);
        let tracked = createTrackedOrders(first);
        for (const next of rest) {
          const before = tracked;
          tracked = track(before, next, WHOLE);
          for (const [id, mark] of before.marks) {
            const now = tracked.marks.get(id);
            expect(now).toBeDefined();
            if (mark.kind === 'changed' && now?.kind === 'changed')
              expect([...mark.fields].every((field) => now.fields.has(field))).toBe(true);
          }
        }
        expect(markSeen(tracked)).toMatchObject({ rows: tracked.rows, gone: [], marks: new Map() });
      }),
    );
  });

  it('list an order that was gone and is back once', () => {
    const one = rowsOf([{ id: '7674028327896836501' }]);
    const tracked = track(track(createTrackedOrders(one), [], WHOLE), one, WHOLE);
    expect(tracked.gone).toEqual([]);
    expect([...tracked.marks.values()]).toEqual([{ kind: 'added' }]);
  });

  it('keep removed orders in place, newest first, each order once', () => {
    fc.assert(
      fc.property(fc.array(orderLists, { minLength: 1, maxLength: 5 }), (responses) => {
        const [first = [], ...rest] = responses.map((fields) => toRows(readOrders(fields).toSorted(compareNewest)));
        const tracked = rest.reduce((before, next) => track(before, next, WHOLE), createTrackedOrders(first));
        const listed = listRows(tracked).map(({ order }) => order);
        expect(listed).toEqual(listed.toSorted(compareNewest));
        expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(responses.flat().map(({ id }) => id)));
        expect(listed).toHaveLength(tracked.rows.length + tracked.gone.length);
      }),
    );
  });

  it('do not remove orders because of an incomplete response', () => {
    fc.assert(
      fc.property(orderLists, orderLists, orderLists, (before, part, after) => {
        const read = (fields: typeof before) => toRows(readOrders(fields).toSorted(compareNewest));
        const known = createTrackedOrders(read(before));
        const partial = track(known, read(part), { complete: false });
        expect([partial.gone, partial.goneCount]).toEqual([[], 0]);
        const missing = known.rows.filter(({ order }) => !part.some(({ id }) => id === order.id));
        expect(partial.unread).toEqual(missing.map((row) => ({ ...row, absent: 'unread' })));
        expect(listRows(partial)).toHaveLength(partial.rows.length + missing.length);
        const whole = track(partial, read(after), WHOLE);
        const expected = new Set(
          [...before, ...part].map(({ id }) => id).filter((id) => !after.some((other) => other.id === id)),
        );
        expect(whole.unread).toEqual([]);
        expect(new Set(idsOf(whole.gone))).toEqual(expected);
        for (const { id } of before)
          if (after.some((other) => other.id === id))
            expect(whole.marks.get(id as never)).not.toEqual({ kind: 'added' });
      }),
    );
  });

  it('detect a change that a float cannot represent', () => {
    const text = JSON.stringify(sampleResponses.ordersWorking).replace('17501.5', '17501.500000000000000001');
    const tracked = track(createTrackedOrders(toRows(readOrders([{}]))), toRows(readOrderText(text)), WHOLE);
    expect([...tracked.marks.values()]).toEqual([{ kind: 'changed', fields: new Set(['avg_price']) }]);
  });

  it('keep a limited number of removed orders', () => {
    const many = rowsOf(Array.from({ length: 1_500 }, (_, n) => ({ id: String(1_000 + n) })));
    const tracked = track(createTrackedOrders(many), rowsOf([{ id: '9' }]), WHOLE);
    expect([tracked.gone.length, tracked.goneCount, tracked.changeCount]).toEqual([1_000, 1_500, 1_501]);
    const later = track(tracked, [], WHOLE);
    expect([later.gone.length, later.goneCount, later.changeCount]).toEqual([1_000, 1_501, 1]);
    expect(idsOf(later.gone)).toContain('9');
    expect(markSeen(later)).toMatchObject({ gone: [], goneCount: 0 });
  });
});

describe('orders that are gone', () => {
  const gone = { id: '1', status: 'Working', quantity_requested: 5, quantity_filled: 2 };
  const [keepMs, source] = [60_000, rowsOf([{}])[0]?.source];
  const trackGone = () => track(createTrackedOrders(rowsOf([gone])), [], WHOLE, { at: 1_000, keepMs });

  it('leave by themselves after a while, which counts as a change', () => {
    const kept = track(trackGone(), [], WHOLE, { at: 60_999, keepMs });
    expect([idsOf(kept.gone), kept.goneCount, kept.changeCount]).toEqual([['1'], 1, 0]);
    const left = track(kept, [], WHOLE, { at: 61_000, keepMs });
    expect([left.gone, left.goneCount, left.marks.size, left.changeCount]).toEqual([[], 0, 0, 1]);
  });

  it('stay until they are seen if they are kept for ever', () => {
    const kept = track(trackGone(), [], WHOLE, { at: 1e12, keepMs: Infinity });
    expect(idsOf(kept.gone)).toEqual(['1']);
    expect(markSeen(kept).gone).toEqual([]);
  });

  it.each([
    ['Closed', 5, 'Filled', 0],
    ['Closed', 2, 'Closed, partially filled', 0],
    ['Working', 2, 'No longer working', 1],
  ])('say how they closed once the history does: %s, %i of 5 filled', (status, filled, label, unexplained) => {
    if (source === undefined) throw new Error('no source');
    const explained = explainGone(trackGone(), readOrders([{ ...gone, status, quantity_filled: filled }]), source);
    expect(explained.gone.map((row) => toRowStatus(row).label)).toEqual([label]);
    expect(findUnexplained(explained)).toHaveLength(unexplained);
  });
});
