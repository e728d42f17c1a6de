import { notifyManager, QueryObserver } from '@tanstack/react-query';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createQueryClient } from './create-query-client.ts';
import { NetworkError } from './errors.ts';

const statusKey = ['desk/status', {}];

/** A page that shows the status, and how often that was read. */
async function openPage() {
  const client = createQueryClient({ statusKey });
  let reads = 0;
  const status = new QueryObserver(client, { queryKey: statusKey, queryFn: () => Promise.resolve((reads += 1)), staleTime: Infinity });
  onTestFinished(status.subscribe(() => undefined));
  await expect.poll(() => reads).toBe(1);
  const ask = (answer: () => Promise<unknown>) => client.query({ queryKey: ['orders'], queryFn: answer, staleTime: 0 }).catch(() => undefined);
  return { ask, reads: () => reads, settled: () => expect.poll(() => client.isFetching()).toBe(0) };
}

describe('a question that failed', () => {
  it('has failed for whoever looks at it until an answer comes, however often it is asked', async () => {
    const client = createQueryClient({ statusKey });
    const turns = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
    let asked = 0;
    const observer = new QueryObserver(client, { queryKey: ['orders'], queryFn: () => turns[asked++]?.promise ?? 'none', retry: false });
    const seen: string[] = [];
    // As React hears of it: what stands once all that happens at one time has happened.
    const look = notifyManager.batchCalls(() => {
      const { status, fetchStatus, error } = observer.getCurrentResult();
      seen.push(`${status} ${fetchStatus} ${error?.message ?? ''}`);
    });
    onTestFinished(observer.subscribe(look));
    turns[0].reject(new Error('away'));
    await expect.poll(() => seen.at(-1)).toBe('error idle away');
    void observer.refetch();
    await expect.poll(() => seen.at(-1)).toBe('error fetching away');
    turns[1].resolve('here');
    await expect.poll(() => seen.at(-1)).toBe('success idle ');
    expect(seen.some((state) => state.startsWith('pending'))).toBe(false);
  });
});

describe('the status of the desk', () => {
  it('is read at once when anything else cannot be', async () => {
    const page = await openPage();
    await page.ask(() => Promise.reject(new Error('away')));
    await expect.poll(page.reads).toBe(2);
  });

  it('is read at once when anything else is old because the venue is away', async () => {
    const page = await openPage();
    await page.ask(() => Promise.resolve({ value: [], staleBecause: 'venue-unreachable' }));
    await expect.poll(page.reads).toBe(2);
    await page.ask(() => Promise.resolve({ pages: [{ staleBecause: null }, { staleBecause: 'venue-timeout' }] }));
    await expect.poll(page.reads).toBe(3);
  });

  it('is told as missing at once where the desk does not give it, as nothing else says that it is there', async () => {
    const client = createQueryClient({ statusKey });
    let asked = 0;
    const queryFn = () => {
      asked += 1;
      return Promise.reject(new NetworkError('away'));
    };
    const observer = new QueryObserver(client, { queryKey: statusKey, queryFn });
    onTestFinished(observer.subscribe(() => undefined));
    await expect.poll(() => observer.getCurrentResult().status).toBe('error');
    expect(asked).toBe(1);
  });

  it('is left to its own pace where all is well', async () => {
    const page = await openPage();
    await page.ask(() => Promise.resolve({ value: [], staleBecause: null }));
    await page.ask(() => Promise.resolve({ pages: [{ staleBecause: null }] }));
    await page.settled();
    expect(page.reads()).toBe(1);
  });
});
