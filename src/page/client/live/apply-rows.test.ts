import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DeskWorking } from '#contract/desk/desk.ts';
import { createParser } from '#contract/parse/parse.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { toWorkingProof } from '#testing/working-proof.ts';
import type { ApiResponse } from '#model/response.ts';
import { applyRows } from './intake.ts';

const place = { key: 'id', rowsField: 'orders' } as const;
type Value = { readonly read_to: string; readonly orders: readonly { readonly id: string; readonly price: number }[] };

function response(value: Value, problems: Partial<ApiResponse<Value>> = {}): ApiResponse<Value> {
  return { value, setAside: [], deviations: [], ...problems } as unknown as ApiResponse<Value>;
}

const [one, two, three] = [
  { id: '1', price: 1 },
  { id: '2', price: 2 },
  { id: '3', price: 3 },
] as const;
const before = response({ read_to: 'before', orders: [one, two, three] });

test('rows that did not change are the same objects, in their order; new ones follow', () => {
  const [changed, added] = [
    { id: '2', price: 22 },
    { id: '4', price: 4 },
  ];
  const after = applyRows(before, response({ read_to: 'after', orders: [changed, added] }), ['"3"'], place)?.value;
  expect(after).toEqual({ read_to: 'after', orders: [one, changed, added] });
  expect(after?.orders[0]).toBe(one);
});

test('without changed rows the list is the same one', () => {
  const after = applyRows(before, response({ read_to: 'after', orders: [] }), [], place)?.value;
  expect(after?.read_to).toBe('after');
  expect(after?.orders).toBe(before.value.orders);
});

test('the whole response is needed where it deviates in more than single rows, or rows are gone that were not there', () => {
  const changes = response({ read_to: 'after', orders: [one] });
  const deviation = { deviations: [{}] } as unknown as Partial<ApiResponse<Value>>;
  expect(applyRows(before, changes, ['"9"'], place)).toBeNull();
  expect(applyRows(response(before.value, deviation), changes, [], place)).toBeNull();
  expect(applyRows(before, response(changes.value, deviation), [], place)).toBeNull();
  expect(
    applyRows(before, response(changes.value, { setAside: [{}] } as unknown as Partial<ApiResponse<Value>>), [], place),
  ).toBeNull();
  expect(applyRows(before, changes, [], { ...place, key: null })).toBeNull();
});

const parser = createParser(DeskWorking, 'orders');

/** The forms of a row: valid, with an unknown value, with an impossible one, with an extra field, or unreadable. */
const FORMS = [
  {},
  { time_in_force: 'IOC' },
  { quantity_requested: 5, quantity_filled: 7 },
  { note: 'new' },
  { price: 'high' },
  { side: null, price: [] },
] as const;
const anyRow = fc.record({
  id: fc.constantFrom('1', '2', '3', '4', '5', '6'),
  price: fc.nat(3),
  form: fc.constantFrom(...FORMS),
});
const anyLists = fc.array(fc.uniqueArray(anyRow, { selector: ({ id }) => id }), { minLength: 1, maxLength: 6 });

type WireRow = Readonly<Record<string, unknown>>;

function read(orders: readonly WireRow[], count = orders.length): ApiResponse<unknown> {
  return parser.tolerant(JSON.stringify({ ...toWorkingProof(count), orders })) as unknown as ApiResponse<unknown>;
}

/** Arranges rows as the stream's reader does: changed rows in place, new ones at the end. */
function follow(before: readonly WireRow[], next: readonly WireRow[]): readonly WireRow[] {
  const stays = before.flatMap((row) => next.filter(({ id }) => id === row['id']));
  return [...stays, ...next.filter((row) => !stays.includes(row))];
}

test('whatever rows deviate, come, change and go, what is merged is what the whole response would give', () => {
  fc.assert(
    fc.property(anyLists, (lists) => {
      let rows: readonly WireRow[] = [];
      let merged: ApiResponse<unknown> | null = read(rows);
      for (const list of lists) {
        const next = follow(
          rows,
          list.map(({ id, price, form }) => ({ ...sampleResponses.ordersWorking[0], id, price, ...form })),
        );
        const texts = new Set(rows.map((row) => JSON.stringify(row)));
        const changed = next.filter((row) => !texts.has(JSON.stringify(row)));
        const gone = rows.filter(({ id }) => !next.some((row) => row['id'] === id)).map(({ id }) => JSON.stringify(id));
        merged = applyRows(merged, read(changed, next.length), gone, place);
        rows = next;
        if (merged === null) throw new Error('the whole response was needed');
        const whole = read(rows);
        expect({ ...merged, change: undefined, deviatingRows: merged.deviatingRows ?? [] }).toEqual({
          ...whole,
          deviatingRows: whole.deviatingRows ?? [],
        });
      }
    }),
  );
});

test('a row that deviates and stays is not read again, and the others stay the same objects', () => {
  const [odd, one, two] = [
    { ...sampleResponses.ordersWorking[0], id: '1', price: 'high' },
    { ...sampleResponses.ordersWorking[0], id: '2', price: 2 },
    { ...sampleResponses.ordersWorking[0], id: '3', price: 3 },
  ];
  const start = read([odd, one, two]);
  const after = applyRows(start, read([{ ...two, price: 4 }]), [], place);
  expect((after?.value as { readonly orders: readonly unknown[] }).orders[0]).toBe(
    (start.value as { readonly orders: readonly unknown[] }).orders[0],
  );
  expect(after?.setAside).toMatchObject([{ index: 0, row: odd }]);
});

test('a row set aside that cannot be told from others needs the whole response', () => {
  const odd = { ...sampleResponses.ordersWorking[0], id: { not: 'a text' } };
  expect(applyRows(read([odd]), read([]), [], place)).toBeNull();
});
