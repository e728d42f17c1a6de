import { basename } from 'node:path';
import { rolldown } from 'rolldown';
import { commands } from '#cli/commands.mjs';

/** Threads are files of their own. */
const WORKERS = ['src/server/journal/pack-worker.ts'];
/** Not our own code. */
const OF_PACKAGES = /^[^.#/]/;

/**
 * Translates what Perpdesk runs outside the browser to JavaScript, since Node.js strips no types in installed packages:
 * a file for each command, `perpdesk` itself, and what they share. Returns the names of the packages that it imports.
 */
export async function bundleServer(root: string, folder: string): Promise<readonly string[]> {
  const programs = Object.entries(commands).map(([name, { program }]) => [name, program] as const);
  const workers = WORKERS.map((path) => [basename(path, '.ts'), path] as const);
  const bundle = await rolldown({
    cwd: root,
    input: { perpdesk: 'src/cli/perpdesk.mjs', ...Object.fromEntries([...programs, ...workers]) },
    platform: 'node',
    external: OF_PACKAGES,
    logLevel: 'warn',
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared-[hash].js',
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await bundle.close();
  const imported = output.flatMap((file) => (file.type === 'chunk' ? [...file.imports, ...file.dynamicImports] : []));
  return [
    ...new Set(imported.filter((name) => OF_PACKAGES.test(name) && !name.startsWith('node:') && !name.endsWith('.js'))),
  ].sort();
}
