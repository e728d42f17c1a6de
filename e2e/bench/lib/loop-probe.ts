/**
 * Loaded into a server beside its own program (`--import`): tells what its main thread, which has the event loop, took of
 * a core, and the longest time for which the loop let nothing else run, since it was asked last.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface LoopReport {
  /** Time on a core, so that other work of the machine does not count. */
  readonly busyMs: number;
  readonly longestGapMs: number;
}

/** The monitor's timer is due every millisecond, so a gap shows as so much more. */
const RESOLUTION_MS = 1;

const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();
let before = process.threadCpuUsage();

process.on('message', () => {
  const { user, system } = process.threadCpuUsage(before);
  process.send?.({ busyMs: (user + system) / 1000, longestGapMs: delays.max / 1e6 - RESOLUTION_MS } satisfies LoopReport);
  before = process.threadCpuUsage();
  delays.reset();
});
// The channel must not keep a server alive that was told to end.
process.channel?.unref();
