import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { repeatReads } from './use-gone-outcomes.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it('reads again after each read, whether it succeeded or failed, but not while the page is hidden', async () => {
  let isHidden = false;
  const read = vi.fn(() => (read.mock.calls.length === 1 ? Promise.reject(new Error('cut')) : Promise.resolve()));
  const stop = repeatReads({ read, toDelay: () => 1_000, isHidden: () => isHidden });
  await vi.advanceTimersByTimeAsync(2_500);
  expect(read).toHaveBeenCalledTimes(2);
  isHidden = true;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(read).toHaveBeenCalledTimes(2);
  isHidden = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(read).toHaveBeenCalledTimes(3);
  stop();
});

it('is over once it is stopped, also where that cancels a read', async () => {
  const read = vi.fn(
    (signal: AbortSignal) =>
      new Promise<void>((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('aborted'));
        });
      }),
  );
  const stop = repeatReads({ read, toDelay: () => 1_000, isHidden: () => false });
  await vi.advanceTimersByTimeAsync(1_000);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});
