import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolderOf } from './paths.mjs';
import { run } from '#cli/run.mjs';

export interface ToolRun {
  readonly code: number;
  readonly output: string;
}

/** A tool that hangs must not keep the rest from running. The browser tests take half of this, on a slow machine nearly all of it. */
const limitMs = 65 * 60_000;

/** Runs an installed tool on this Node.js; both of its outputs go to one file, so they keep their order. */
export async function runTool(
  root: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ToolRun> {
  mkdirSync(cacheFolderOf(root), { recursive: true });
  const folder = mkdtempSync(join(cacheFolderOf(root), 'run-'));
  const file = join(folder, 'output');
  const output = openSync(file, 'w');
  try {
    const code = await run(process.execPath, args, {
      cwd: root,
      // Tests start our programs many times; with the cache each starts in two thirds of the time.
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: join(cacheFolderOf(root), 'node'),
        NO_COLOR: '1',
        FORCE_COLOR: undefined,
        ...env,
      },
      stdio: ['ignore', output, output],
      timeout: limitMs,
    });
    return { code, output: readFileSync(file, 'utf8') };
  } finally {
    closeSync(output);
    rmSync(folder, { recursive: true, force: true });
  }
}
