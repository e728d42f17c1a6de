import { defaultScheduler, notifyManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { createBeforeFrame } from './start-live.ts';

afterEach(() => {
  notifyManager.setScheduler(defaultScheduler);
});

/** Observes the cache in the same way as React. */
function observe() {
  const client = new QueryClient();
  const seen: unknown[] = [];
  new QueryObserver(client, { queryKey: ['orders'], enabled: false }).subscribe(
    notifyManager.batchCalls(({ data }) => seen.push(data)),
  );
  return { client, seen };
}

test('screens are notified of what comes before a frame in that frame', async () => {
  const { client, seen } = observe();
  let drawFrame = (): void => undefined;
  const beforeFrame = createBeforeFrame((call) => {
    drawFrame = call;
  });
  beforeFrame(() => {
    notifyManager.batch(() => {
      client.setQueryData(['orders'], 1);
      client.setQueryData(['orders'], 2);
    });
  });
  drawFrame();
  // A frame's microtasks run before it is drawn; tasks do not.
  await Promise.resolve();
  expect(seen).toEqual([1, 2]);
});

test('what comes at another time, and after a call that failed, is notified by the library’s own schedule', async () => {
  const { client, seen } = observe();
  const beforeFrame = createBeforeFrame((call) => {
    call();
  });
  expect(() => {
    beforeFrame(() => {
      throw new Error('unusable');
    });
  }).toThrow('unusable');
  client.setQueryData(['orders'], 1);
  await Promise.resolve();
  expect(seen).toEqual([]);
  await new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
  expect(seen).toEqual([1]);
});
