import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from './hash.mjs';
import { cacheFolderOf } from './paths.mjs';
import { hasPassed, type Step } from './steps.ts';

/** The files and folders that a step's result depends on. */
export interface Inputs {
  readonly paths: readonly string[];
  readonly counts?: (path: string) => boolean;
}

function readVerdict(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/**
 * Wraps a step so that it does not run again while its inputs are the same as when it last passed on this machine. In a
 * fresh clone it always runs.
 */
export function remembered(root: string, { name, run }: Step, { paths, counts }: Inputs): Step {
  const file = join(cacheFolderOf(root), `passed-${name.replaceAll(' ', '-')}`);
  return {
    name,
    run: async () => {
      const hash = hashOf(root, paths, counts);
      if (readVerdict(file) === hash)
        return { passed: 0, failed: 0, failures: [], notRun: [], output: '', isRemembered: true };
      rmSync(file, { force: true });
      const outcome = await run();
      if (hasPassed(outcome)) {
        mkdirSync(cacheFolderOf(root), { recursive: true });
        writeFileSync(file, hash);
      }
      return outcome;
    },
  };
}
