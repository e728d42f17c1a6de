import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runExclusively } from './exclusive.mjs';
import { hashOf } from './hash.mjs';
import { run } from '#cli/run.mjs';
import { withoutSecrets } from '#cli/secrets.mjs';
import { nextOf, recoverFolder, swapFolder } from './swap-folder.mjs';

/** What npm needs to know of a tree to install its packages. */
const manifests = ['package.json', 'package-lock.json', '.npmrc'];

/** @param {string} modules */
function markerIn(modules) {
  return join(modules, '.perpdesk-installed');
}

/** @param {string} root */
function isInstalled(root) {
  try {
    return readFileSync(markerIn(join(root, 'node_modules')), 'utf8') === hashOf(root, ['package-lock.json']);
  } catch {
    return false;
  }
}

/**
 * npm also calls this after every install (the "dependencies" script), so that a package added by hand is not installed
 * a second time.
 *
 * @param {string} root
 */
export function markInstalled(root, modules = join(root, 'node_modules')) {
  writeFileSync(markerIn(modules), hashOf(root, ['package-lock.json']));
}

/**
 * Installs beside the packages in use and swaps at the end: an install that fails leaves what worked. No package runs a
 * script of its own.
 *
 * @param {string} root
 * @returns {Promise<number>} 0 when node_modules matches package-lock.json
 */
async function install(root) {
  if (isInstalled(root)) return 0;
  const modules = join(root, 'node_modules');
  recoverFolder(modules);
  console.log('perpdesk: installing dependencies with npm ci (only when package-lock.json has changed)');
  const start = performance.now();
  const aside = nextOf(modules);
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside);
  try {
    for (const file of manifests) copyFileSync(join(root, file), join(aside, file));
    const options = [
      '--include=dev',
      '--include=optional',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ];
    const code = await run('npm', ['ci', ...options], {
      cwd: aside,
      env: withoutSecrets(process.env),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (code !== 0) return code;
    markInstalled(root, join(aside, 'node_modules'));
    swapFolder(join(aside, 'node_modules'), modules);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  console.log(`perpdesk: installed in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return 0;
}

/**
 * @param {string} root
 * @returns {Promise<number>} 0 when node_modules matches package-lock.json
 */
export async function ensureInstalled(root) {
  return isInstalled(root) ? 0 : runExclusively(join(root, '.perpdesk', 'install.lock'), () => install(root));
}
