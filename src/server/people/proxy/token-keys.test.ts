import { afterEach, expect, it, vi } from 'vitest';
import { createFakeClock } from '#testing/fake-clock.ts';
import { openTokenKeys } from './token-keys.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Opens keys whose first load is pending until it fails. */
function openLoading() {
  const clock = createFakeClock();
  const response = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => response.promise);
  const failed = Promise.withResolvers<undefined>();
  const keys = openTokenKeys(
    { url: 'https://proxy.example/keys' },
    {
      schedule: clock.schedule,
      log: () => {
        failed.resolve(undefined);
      },
    },
  );
  const fail = async (): Promise<void> => {
    response.reject(new Error('the proxy does not respond'));
    await failed.promise;
  };
  return { clock, keys, fail };
}

it('keys are loaded again after a failure', async () => {
  const { clock, fail } = openLoading();
  await fail();
  expect(clock.timers()).toBe(1);
});

it('keys that are closed while they are loaded are not loaded again', async () => {
  const { clock, keys, fail } = openLoading();
  keys.close();
  await fail();
  expect(clock.timers()).toBe(0);
});
