import { expect, it } from 'vitest';
import { type ChangesResponse, readNewer } from './use-changes.ts';

/**
 * Reads from a journal whose pages have these sizes, oldest changes first. Returns the requests sent and the changes
 * found.
 */
async function read(sizes: readonly number[]) {
  const requests: unknown[] = [];
  let number = 0;
  const pages = await readNewer((request) => {
    const size = sizes[requests.length] ?? 0;
    requests.push(request);
    const changes = Array.from({ length: size }, () => number++);
    return Promise.resolve({
      value: { changes, pagination: { cursor: requests.length < sizes.length ? `after ${String(number)}` : null } },
    } as unknown as ChangesResponse);
  });
  return {
    requests,
    found: pages.flatMap(({ value }) => value.changes),
    hasMore: pages.at(-1)?.value.pagination.cursor !== null,
  };
}

it('newer changes follow the list without a hole, however short the pages are', async () => {
  const { requests, found, hasMore } = await read([2, 0, 0, 3]);
  expect(requests).toEqual(
    [undefined, 'after 2', 'after 2', 'after 2'].map((cursor) => ({
      order: 'asc',
      limit: 1_000,
      ...(cursor !== undefined && { cursor }),
    })),
  );
  expect([found, hasMore]).toEqual([[0, 1, 2, 3, 4], false]);
});

it('of more than a thousand, the newest are left for later', async () => {
  const { requests, found, hasMore } = await read([600, 600, 600]);
  expect([requests.length, found.length, found.at(-1), hasMore]).toEqual([2, 1_200, 1_199, true]);
});
