import { QueryObserver } from '@tanstack/react-query';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createQueryClient } from './create-query-client.ts';

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

  it('is left to its own pace where all is well', async () => {
    const page = await openPage();
    await page.ask(() => Promise.resolve({ value: [], staleBecause: null }));
    await page.ask(() => Promise.resolve({ pages: [{ staleBecause: null }] }));
    await page.settled();
    expect(page.reads()).toBe(1);
  });
});
