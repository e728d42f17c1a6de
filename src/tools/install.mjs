import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alone } from './alone.mjs';
import { hashOf } from './hash.mjs';
import { run } from './run.mjs';

/** @param {string} root */
function stampFile(root) {
  return join(root, 'node_modules', '.perpdesk-installed');
}

/** @param {string} root */
function isInstalled(root) {
  try {
    return readFileSync(stampFile(root), 'utf8') === hashOf(root, ['package-lock.json']);
  } catch {
    return false;
  }
}

/**
 * Also called by npm itself after every install (the "dependencies" script), so that a package added by hand is not
 * installed a second time.
 *
 * @param {string} root
 */
export function stampInstall(root) {
  writeFileSync(stampFile(root), hashOf(root, ['package-lock.json']));
}

/**
 * @param {string} root
 * @returns {Promise<number>} 0 when node_modules is what package-lock.json says
 */
async function install(root) {
  if (isInstalled(root)) return 0;
  console.log('perpdesk: installing dependencies with npm ci (only when package-lock.json has changed)');
  const start = performance.now();
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const code = await run('npm', ['ci', '--include=dev', ...quiet], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  if (code !== 0) return code;
  stampInstall(root);
  console.log(`perpdesk: installed in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return 0;
}

/**
 * @param {string} root
 * @returns {Promise<number>} 0 when node_modules is what package-lock.json says
 */
export async function ensureInstalled(root) {
  return isInstalled(root) ? 0 : alone(join(root, '.perpdesk', 'install.lock'), () => install(root));
}
