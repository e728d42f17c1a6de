import { expect, test } from 'vitest';
import { createSlots } from './transport.ts';

type Claim = Parameters<ReturnType<typeof createSlots>['take']>[0];

const never = new AbortController().signal;
const voi: Claim = { endpoint: 'chartVoi', purpose: 'history' };
const prices: Claim = { endpoint: 'chartPrice', purpose: 'history' };
const orders: Claim = { endpoint: 'ordersWorking', purpose: 'working' };

/** Slots with a record of who was granted one, in order. */
function open(total: number, perEndpoint: number) {
  const slots = createSlots({ total, perEndpoint });
  const granted: string[] = [];
  const frees = new Map<string, () => void>();
  const take = (name: string, claim: Claim, signal = never): void => {
    slots.take(claim, signal).then(
      (free) => {
        granted.push(name);
        frees.set(name, free);
      },
      (reason: unknown) => granted.push(`${name}: ${String(reason)}`),
    );
  };
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const free = async (name: string): Promise<void> => {
    frees.get(name)?.();
    await settle();
  };
  return { granted, take, free, settle };
}

test('one endpoint holds no more than its part, however many wait; the others take the rest at once', async () => {
  const { granted, take, settle } = open(4, 2);
  for (let count = 1; count <= 10; count++) take(`voi ${String(count)}`, voi);
  take('price', prices);
  take('orders', orders);
  await settle();
  expect(granted).toEqual(['voi 1', 'voi 2', 'price', 'orders']);
});

test('a freed slot goes to the most urgent, then to the endpoint that holds the fewest, then to the first to arrive', async () => {
  const { granted, take, free, settle } = open(2, 2);
  take('voi 1', voi);
  take('voi 2', voi);
  take('voi 3', voi);
  take('voi 4', voi);
  take('price', prices);
  take('orders', orders);
  await settle();
  await free('voi 1');
  await free('orders');
  await free('price');
  await free('voi 2');
  expect(granted).toEqual(['voi 1', 'voi 2', 'orders', 'price', 'voi 3', 'voi 4']);
});

test('who leaves the queue is passed over, and takes no slot', async () => {
  const { granted, take, free, settle } = open(1, 1);
  const leaving = new AbortController();
  take('voi 1', voi);
  take('voi 2', voi, leaving.signal);
  take('voi 3', voi);
  await settle();
  take('voi 4', voi, AbortSignal.abort('gone before'));
  await settle();
  leaving.abort('gone');
  await free('voi 1');
  expect(granted).toEqual(['voi 1', 'voi 4: gone before', 'voi 2: gone', 'voi 3']);
});

test('an abort after the grant changes nothing', async () => {
  const { granted, take, free, settle } = open(1, 1);
  const leaving = new AbortController();
  take('voi 1', voi, leaving.signal);
  await settle();
  leaving.abort('gone');
  take('voi 2', voi);
  await settle();
  expect(granted).toEqual(['voi 1']);
  await free('voi 1');
  expect(granted).toEqual(['voi 1', 'voi 2']);
});
