/** The bytes in use after a garbage collection. */
export interface MemoryReading {
  readonly rss: number;
  readonly heap: number;
  /** The number of open connections. */
  readonly sockets: number;
}

const MOST_GROWTH = 1.1;
/** The time after which a server has loaded and cached what it needs permanently. */
const SETTLED_INDEX = 1;

/** Returns sentences about what grew by more than a tenth between the second reading and the last. */
export function findGrowth(readings: readonly Pick<MemoryReading, 'rss' | 'heap'>[]): readonly string[] {
  const [settled, last] = [readings[SETTLED_INDEX], readings.at(-1)];
  if (settled === undefined || last === undefined) return [];
  return (['rss', 'heap'] as const).flatMap((kind) =>
    last[kind] > settled[kind] * MOST_GROWTH
      ? [
          `The ${kind === 'rss' ? 'memory' : 'heap'} grew from ${toMegabytes(settled[kind])} to ` +
            `${toMegabytes(last[kind])}.`,
        ]
      : [],
  );
}

export function toMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
