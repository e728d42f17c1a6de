import { statSync } from 'node:fs';
import type { Schedule } from './ports.ts';

/** Often enough for a person who waits, rarely enough to cost nothing. */
const EVERY_MS = 2_000;

/**
 * Calls back after any of the files changed. By what they are, not by events: a renewed certificate or a mounted secret is
 * often a link that points elsewhere. Returns a function that ends it.
 */
export function watchFiles(paths: readonly string[], schedule: Schedule, onChange: () => void): () => void {
  let known = describe(paths);
  let cancel = (): void => undefined;
  const look = (): void => {
    const found = describe(paths);
    if (found !== known) {
      known = found;
      onChange();
    }
    cancel = schedule(EVERY_MS, look);
  };
  cancel = schedule(EVERY_MS, look);
  return () => {
    cancel();
  };
}

function describe(paths: readonly string[]): string {
  return paths.map((path) => {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? 'none' : [found.dev, found.ino, found.size, found.mtimeNs, found.mode].join(' ');
  }).join();
}
