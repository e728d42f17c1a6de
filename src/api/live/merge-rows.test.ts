import { expect, test } from 'vitest';
import type { ApiResponse } from '../api-response.ts';
import { mergeRows } from './merge-rows.ts';

const place = { key: 'id', rowsField: 'orders' } as const;
type Value = { readonly read_to: string; readonly orders: readonly { readonly id: string; readonly price: number }[] };

function response(value: Value, problems: Partial<ApiResponse<Value>> = {}): ApiResponse<Value> {
  return { value, setAside: [], deviations: [], ...problems } as unknown as ApiResponse<Value>;
}

const [one, two, three] = [{ id: '1', price: 1 }, { id: '2', price: 2 }, { id: '3', price: 3 }] as const;
const before = response({ read_to: 'before', orders: [one, two, three] });

test('rows that did not change are the same objects, in their order; new ones follow', () => {
  const [changed, added] = [{ id: '2', price: 22 }, { id: '4', price: 4 }];
  const after = mergeRows(before, response({ read_to: 'after', orders: [changed, added] }), ['"3"'], place)?.value;
  expect(after).toEqual({ read_to: 'after', orders: [one, changed, added] });
  expect(after?.orders[0]).toBe(one);
});

test('without changed rows the list is the same one', () => {
  const after = mergeRows(before, response({ read_to: 'after', orders: [] }), [], place)?.value;
  expect(after?.read_to).toBe('after');
  expect(after?.orders).toBe(before.value.orders);
});

test('the whole response is needed where rows were left out, deviate, or are gone that were not there', () => {
  const changes = response({ read_to: 'after', orders: [one] });
  const deviation = { deviations: [{}] } as unknown as Partial<ApiResponse<Value>>;
  expect(mergeRows(before, changes, ['"9"'], place)).toBeNull();
  expect(mergeRows(response(before.value, deviation), changes, [], place)).toBeNull();
  expect(mergeRows(before, response(changes.value, deviation), [], place)).toBeNull();
  expect(mergeRows(before, response(changes.value, { setAside: [{}] } as unknown as Partial<ApiResponse<Value>>), [], place)).toBeNull();
  expect(mergeRows(before, changes, [], { ...place, key: null })).toBeNull();
});
