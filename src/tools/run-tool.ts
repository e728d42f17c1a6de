import { mkdirSync, mkdtempSync, openSync, closeSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, root } from './paths.mjs';
import { run } from './run.mjs';

export interface ToolRun {
  readonly code: number;
  readonly output: string;
}

/** Runs one of the installed tools on this very Node; both of its outputs go to one file, so they keep their order. */
export async function runTool(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<ToolRun> {
  mkdirSync(cacheFolder, { recursive: true });
  const folder = mkdtempSync(join(cacheFolder, 'run-'));
  const file = join(folder, 'output');
  const output = openSync(file, 'w');
  try {
    const code = await run(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', output, output],
    });
    return { code, output: readFileSync(file, 'utf8') };
  } finally {
    closeSync(output);
    rmSync(folder, { recursive: true, force: true });
  }
}
