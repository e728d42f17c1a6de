import { expect, test } from 'vitest';
import type { ApiResponse } from '#model/response.ts';
import { refetchOptions } from './refetch-options.ts';

const TIME = 1_700_000_000_000;
const SECOND_MS = 1_000;
const cadence = { everySeconds: 20, sharedBy: 1 };
const response = { cache: 'miss', freshSeconds: 4, ageSeconds: 0, receivedAt: TIME } as ApiResponse<unknown>;
const pushed = { ...response, cadence };

/** What a query with this response does so many seconds after it arrived. */
function after(seconds: number, data: ApiResponse<unknown>, pushedAt = TIME) {
  const now = (): number => TIME + seconds * SECOND_MS;
  const { refetchInterval, refetchOnWindowFocus } = refetchOptions({ reuseSeconds: 4 }, now, () => pushedAt);
  const query = { state: { data, error: null, errorUpdatedAt: 0 } } as unknown as Parameters<typeof refetchInterval>[0];
  return { interval: refetchInterval(query), isDue: refetchOnWindowFocus(query) };
}

test('what is pushed is not polled, unless no push came for long', () => {
  expect(after(0, pushed)).toEqual({ interval: 100 * SECOND_MS, isDue: false });
  expect(after(99, pushed)).toEqual({ interval: SECOND_MS, isDue: false });
  expect(after(100, pushed)).toEqual({ interval: SECOND_MS, isDue: true });
  expect(after(-3_600, pushed)).toEqual({ interval: SECOND_MS, isDue: true });
});

test('what was polled is polled again only where nothing is pushed: the next push brings a newer one', () => {
  expect(after(0, response, 0)).toEqual({ interval: 5 * SECOND_MS, isDue: false });
  expect(after(10, response, 0)).toEqual({ interval: SECOND_MS, isDue: true });
  expect(after(10, response)).toEqual({ interval: 50 * SECOND_MS, isDue: false });
  expect(after(60, response)).toEqual({ interval: SECOND_MS, isDue: true });
});
