import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { createFakeClock } from '#testing/fake-clock.ts';
import { whenQuiet } from './start-live.ts';

test('a page is quiet a second after its last first request has ended', async () => {
  const clock = createFakeClock();
  const client = new QueryClient();
  const finish: (() => void)[] = [];
  const read = (key: string) =>
    client.query({
      queryKey: [key],
      queryFn: () =>
        new Promise((resolve) =>
          finish.push(() => {
            resolve(key);
          }),
        ),
    });
  let isQuiet = false;
  const first = read('products');
  void whenQuiet(client, clock.schedule).then(() => (isQuiet = true));
  await clock.advance(5_000);
  finish.shift()?.();
  await first;
  await clock.advance(900);
  const second = read('orders');
  await clock.advance(5_000);
  expect(isQuiet).toBe(false);
  finish.shift()?.();
  await second;
  await clock.advance(999);
  expect(isQuiet).toBe(false);
  await clock.advance(1);
  expect(isQuiet).toBe(true);
});

test('what is rendered or read again meanwhile does not make it wait longer', async () => {
  const clock = createFakeClock();
  const client = new QueryClient();
  client.setQueryData(['orders'], 'known');
  let isQuiet = false;
  void whenQuiet(client, clock.schedule).then(() => (isQuiet = true));
  void client.query({ queryKey: ['orders'], queryFn: () => new Promise(() => undefined) });
  for (let time = 1; time <= 10; time++) {
    client.setQueryData(['time'], time);
    await clock.advance(100);
  }
  expect(isQuiet).toBe(true);
});
