import type { CDPSession } from '@playwright/test';

/**
 * Returns how long the page's main thread has worked so far, in milliseconds. Its session must have Performance
 * enabled.
 */
export async function readCpu(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1_000;
}

/** Returns how much of the page's memory is still in use, in MB. */
export async function readHeap(session: CDPSession): Promise<number> {
  // The second garbage collection frees what the first one only found to be unused.
  for (let time = 0; time < 2; time++) await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize / 2 ** 20;
}
