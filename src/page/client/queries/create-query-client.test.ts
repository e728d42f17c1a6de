import { notifyManager, QueryObserver } from '@tanstack/react-query';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createQueryClient } from './create-query-client.ts';
import { NetworkError } from '../errors.ts';

const statusKey = ['desk/status', {}];

/** Opens a page that shows the status and counts its reads. */
async function openPage() {
  const client = createQueryClient({ statusKey });
  let reads = 0;
  const status = new QueryObserver(client, {
    queryKey: statusKey,
    queryFn: () => Promise.resolve((reads += 1)),
    staleTime: Infinity,
  });
  onTestFinished(status.subscribe(() => undefined));
  await expect.poll(() => reads).toBe(1);
  const query = (queryFn: () => Promise<unknown>) =>
    client.query({ queryKey: ['orders'], queryFn, staleTime: 0 }).catch(() => undefined);
  return { query, reads: () => reads, settled: () => expect.poll(() => client.isFetching()).toBe(0) };
}

describe('a failed query', () => {
  it('stays failed until a response arrives, however often it is retried', async () => {
    const client = createQueryClient({ statusKey });
    const attempts = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
    let count = 0;
    const observer = new QueryObserver(client, {
      queryKey: ['orders'],
      queryFn: () => attempts[count++]?.promise ?? 'none',
      retry: false,
    });
    const seen: string[] = [];
    // Notifications are batched, as React receives them.
    const record = notifyManager.batchCalls(() => {
      const { status, fetchStatus, error } = observer.getCurrentResult();
      seen.push(`${status} ${fetchStatus} ${error?.message ?? ''}`);
    });
    onTestFinished(observer.subscribe(record));
    attempts[0].reject(new Error('unreachable'));
    await expect.poll(() => seen.at(-1)).toBe('error idle unreachable');
    void observer.refetch();
    await expect.poll(() => seen.at(-1)).toBe('error fetching unreachable');
    attempts[1].resolve('data');
    await expect.poll(() => seen.at(-1)).toBe('success idle ');
    expect(seen.some((state) => state.startsWith('pending'))).toBe(false);
  });
});

describe('the status of the desk', () => {
  it('is read at once when another query fails', async () => {
    const page = await openPage();
    await page.query(() => Promise.reject(new Error('unreachable')));
    await expect.poll(page.reads).toBe(2);
  });

  it('is read at once when another response is stale because the venue failed', async () => {
    const page = await openPage();
    await page.query(() => Promise.resolve({ value: [], staleBecause: 'venue-unreachable' }));
    await expect.poll(page.reads).toBe(2);
    await page.query(() => Promise.resolve({ pages: [{ staleBecause: null }, { staleBecause: 'venue-timeout' }] }));
    await expect.poll(page.reads).toBe(3);
  });

  it('fails at once, without a retry, when the desk does not respond', async () => {
    const client = createQueryClient({ statusKey });
    let reads = 0;
    const queryFn = () => {
      reads += 1;
      return Promise.reject(new NetworkError('unreachable'));
    };
    const observer = new QueryObserver(client, { queryKey: statusKey, queryFn });
    onTestFinished(observer.subscribe(() => undefined));
    await expect.poll(() => observer.getCurrentResult().status).toBe('error');
    expect(reads).toBe(1);
  });

  it('keeps its own interval while other queries succeed', async () => {
    const page = await openPage();
    await page.query(() => Promise.resolve({ value: [], staleBecause: null }));
    await page.query(() => Promise.resolve({ pages: [{ staleBecause: null }] }));
    await page.settled();
    expect(page.reads()).toBe(1);
  });
});
