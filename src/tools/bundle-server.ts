import { basename } from 'node:path';
import { rolldown } from 'rolldown';
import { commands } from '#cli/commands.mjs';

/** Threads have files of their own. */
const WORKERS = ['src/server/journal/pack-worker.ts'];
/** Imports that are not our own code. */
const OF_PACKAGES = /^[^.#/]/;

/**
 * Translates what Perpdesk runs outside the browser to JavaScript, because Node.js does not strip types in installed
 * packages. It writes a file for each command, for `perpdesk` itself, and for what they share. Returns the names of the
 * packages that this code imports.
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
