import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ApiResponse } from '#model/response.ts';
import { createIntake, type Intake } from './intake.ts';
import type { FollowedQuery, FromReader } from './live.ts';

const [TIME, SECOND_MS] = [1_700_000_000_000, 1_000];
const NAMES = ['one', 'two', 'set'] as const;

let client: QueryClient;
let intake: Intake;
let requested: string[];
let drawFrame: () => void;

beforeEach(() => {
  client = new QueryClient();
  requested = [];
  const topics = new Map(NAMES.map((name) => [name as string, follow(name)]));
  intake = createIntake({
    client,
    find: (address) => topics.get(address),
    requestWhole: (address) => void requested.push(address),
    beforeFrame: (call) => {
      drawFrame = call;
    },
  });
});

/** Returns a topic whose rows are numbers. Any other row violates the interface. */
function follow(address: string): FollowedQuery {
  const query = client.getQueryCache().build(client, { queryKey: [address] }) as unknown as FollowedQuery['query'];
  const read: FollowedQuery['live']['read'] = (received) => {
    const value = JSON.parse(received.text ?? '') as
      | readonly { readonly id: unknown }[]
      | { readonly orders: readonly { readonly id: unknown }[] };
    if (!('orders' in value ? value.orders : value).every(({ id }) => typeof id === 'number'))
      throw new Error('not in the interface');
    return { ...received, value, setAside: [], deviations: [] } as unknown as ApiResponse<unknown>;
  };
  return { query, live: { topic: { address, key: 'id', account: null, rowsField: null }, read } };
}

function receive(
  kind: 'whole' | 'rows',
  address: string,
  text: string,
  { at = TIME, age = 0, respondedAt = '' } = {},
): void {
  const reading = { answered_at: respondedAt, venue_time: null, age_seconds: age, every_seconds: 20, shared_by: 1 };
  intake.receive({ kind, address, text, gone: [], receivedAt: at, reading } as FromReader as never);
}

const valueOf = (address: string): unknown => client.getQueryData<ApiResponse<unknown>>([address])?.value;

test('a response that the interface does not allow is an error of its own query: the changes of others are not lost', () => {
  for (const name of ['one', 'two']) receive('whole', name, '[{"id":1}]');
  drawFrame();
  receive('rows', 'one', '[{"id":"x"}]');
  receive('rows', 'two', '[{"id":2}]');
  drawFrame();
  expect(client.getQueryState(['one'])).toMatchObject({ status: 'error', error: { message: 'not in the interface' } });
  expect(valueOf('two')).toEqual([{ id: 1 }, { id: 2 }]);
  receive('rows', 'one', '[{"id":3}]');
  drawFrame();
  expect(requested).toEqual(['one']);
});

test('what was read long before what the page has is not shown', () => {
  receive('whole', 'one', '[{"id":2}]', { age: 2 });
  drawFrame();
  receive('whole', 'one', '[{"id":1}]', { at: TIME + SECOND_MS, age: 90 });
  drawFrame();
  expect(valueOf('one')).toEqual([{ id: 2 }]);
  // This browser's clock was set back.
  receive('whole', 'one', '[{"id":3}]', { at: TIME - SECOND_MS, age: 90 });
  drawFrame();
  expect(valueOf('one')).toEqual([{ id: 3 }]);
});

test('what was read a moment before what the page has is not shown, by the times of the gateway', () => {
  const responded = (seconds: number): { readonly respondedAt: string } => ({
    respondedAt: new Date(TIME + seconds * SECOND_MS).toISOString(),
  });
  receive('whole', 'one', '[{"id":2}]', responded(4));
  drawFrame();
  const refetchInterval = vi.fn(() => false as const);
  const leave = new QueryObserver(client, { queryKey: ['one'], enabled: false, refetchInterval }).subscribe(
    () => undefined,
  );
  refetchInterval.mockClear();
  receive('whole', 'one', '[{"id":1}]', { at: TIME + SECOND_MS, ...responded(1) });
  drawFrame();
  expect(valueOf('one')).toEqual([{ id: 2 }]);
  // Whether to poll depends on whether the topic is pushed.
  expect(refetchInterval).toHaveBeenCalled();
  leave();
  // The next change does not apply to the response that the page holds.
  receive('rows', 'one', '[{"id":3}]', responded(6));
  drawFrame();
  expect(requested).toEqual(['one']);
  receive('whole', 'one', '[{"id":1},{"id":3}]', responded(6));
  drawFrame();
  expect(valueOf('one')).toEqual([{ id: 1 }, { id: 3 }]);
  // The server's clock was set back by much more than the tolerance.
  receive('whole', 'one', '[{"id":4}]', { at: TIME + 2 * SECOND_MS, ...responded(-3_600) });
  drawFrame();
  expect(valueOf('one')).toEqual([{ id: 4 }]);
});

test('a working set says itself up to when it was read', () => {
  const read = (id: number, seconds: number): string =>
    JSON.stringify({ read_to: new Date(TIME + seconds * SECOND_MS).toISOString(), orders: [{ id }] });
  receive('whole', 'set', read(2, 4));
  drawFrame();
  receive('whole', 'set', read(1, 1), { at: TIME + SECOND_MS });
  drawFrame();
  expect(valueOf('set')).toMatchObject({ orders: [{ id: 2 }] });
});
