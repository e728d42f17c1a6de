/**
 * Loaded into a server in addition to its own program (`--import`, with `--expose-gc`): reports the memory in use after
 * a garbage collection.
 */
export interface MemoryReport {
  /** Memory on the heap and outside it. */
  readonly heldMb: number;
}

process.on('message', () => {
  // The second garbage collection frees what the first one only found to be unused.
  for (let time = 0; time < 2; time++) (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ heldMb: (heapUsed + external) / 2 ** 20 } satisfies MemoryReport);
});
// The channel must not keep a server alive that is being stopped.
process.channel?.unref();
