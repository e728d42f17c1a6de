// `npm run package` makes the package that others install, `perpdesk-<version>.tgz`. It contains the built page, and
// nothing that only development needs.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '#cli/run.mjs';
import { bundleServer } from './bundle-server.ts';
import { writeManifest } from './package-manifest.ts';
import { cacheFolderOf, root } from './paths.mjs';

const COPIED = ['dist', 'docs', 'deploy', 'LICENSE', 'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];

/**
 * Packs Perpdesk and returns the file's name. Each run has a folder of its own, because two may pack at the same time.
 */
async function pack(work: string): Promise<string> {
  const folder = join(work, 'package');
  const imported = await bundleServer(root, join(folder, 'lib'));
  for (const name of COPIED) cpSync(join(root, name), join(folder, name), { recursive: true });
  // Only the budget of the bundle reads it.
  rmSync(join(folder, 'dist', '.vite'), { recursive: true });
  const read = (name: string): string => readFileSync(join(root, name), 'utf8');
  writeFileSync(join(folder, 'package.json'), writeManifest(read('package.json'), read('package-lock.json'), imported));
  const code = await run('npm', ['pack', '--silent', '--pack-destination', work], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (code !== 0) throw new Error('npm could not pack the folder.');
  const { name, version } = JSON.parse(read('package.json')) as { readonly name: string; readonly version: string };
  const file = `${name}-${version}.tgz`;
  // The file is replaced atomically, so a process that is unpacking the previous one can finish.
  renameSync(join(work, file), join(root, file));
  return file;
}

mkdirSync(cacheFolderOf(root), { recursive: true });
const work = mkdtempSync(join(cacheFolderOf(root), 'package-'));
const file = await pack(work).finally(() => {
  rmSync(work, { recursive: true });
});
console.log(`perpdesk: packed ${file}, ${(statSync(join(root, file)).size / 1_000_000).toFixed(2)} MB`);
