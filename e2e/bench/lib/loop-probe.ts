/**
 * Loaded into a server in addition to its own program (`--import`): reports how much of a core its main thread, which
 * has the event loop, used since the last report, and the longest time for which it let nothing else run. Both are time
 * on a core, so that other work of the machine does not count.
 */
export interface LoopReport {
  readonly busyMs: number;
  readonly longestGapMs: number;
}

let asked = process.threadCpuUsage();
let looked = process.threadCpuUsage();
let longestGapMs = 0;

const look = setInterval(() => {
  longestGapMs = Math.max(longestGapMs, millisecondsSince(looked));
  looked = process.threadCpuUsage();
}, 1);
look.unref();

process.on('message', () => {
  process.send?.({ busyMs: millisecondsSince(asked), longestGapMs } satisfies LoopReport);
  asked = process.threadCpuUsage();
  longestGapMs = 0;
});
// The channel must not keep a server alive that is being stopped.
process.channel?.unref();

function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
