import { statSync } from 'node:fs';
import type { Schedule } from './ports.ts';

/** Often enough for a person who waits, and cheap: files are only checked, not read. */
const EVERY_MS = 2_000;

/**
 * Calls back after any of the files changed. It polls instead of listening to events, because a renewed certificate or
 * a mounted secret is often a link that points elsewhere. Returns a function that ends it.
 */
export function watchFiles(
  paths: () => readonly string[],
  schedule: Schedule,
  onChange: () => void,
): () => Promise<void> {
  let known = describe(paths());
  let cancel = (): void => undefined;
  const look = (): void => {
    const found = describe(paths());
    if (found !== known) {
      known = found;
      onChange();
    }
    cancel = schedule(EVERY_MS, look);
  };
  cancel = schedule(EVERY_MS, look);
  return () => {
    cancel();
    return Promise.resolve();
  };
}

function describe(paths: readonly string[]): string {
  return paths.map((path) => `${path} ${describeOne(path)}`).join('\n');
}

function describeOne(path: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return 'missing';
  }
}
