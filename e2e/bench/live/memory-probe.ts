/** Loaded into a server beside its own program (`--import`, with `--expose-gc`): reports what it holds, after collecting what it does not. */
export interface MemoryReport {
  /** Of the heap and outside of it. */
  readonly heldMb: number;
}

process.on('message', () => {
  // The second collection takes what the first one only found to be finished with.
  for (let time = 0; time < 2; time++) (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ heldMb: (heapUsed + external) / 2 ** 20 } satisfies MemoryReport);
});
// The channel must not keep a server alive that was asked to end.
process.channel?.unref();
