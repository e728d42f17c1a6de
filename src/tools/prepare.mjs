import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '#cli/run.mjs';
import { withoutSecrets } from '#cli/secrets.mjs';
import { runExclusively } from './exclusive.mjs';
import { hashOf } from './hash.mjs';
import { runOnPinnedNode } from './pinned-node.mjs';

/**
 * A folder that is built from other files.
 *
 * @typedef {object} Product
 * @property {string} folder
 * @property {string} mark a file in it, with the hash of what it was made from
 * @property {(root: string) => string} hash of what it would be made from now
 * @property {string} work
 * @property {string} done
 * @property {(root: string, aside: string) => Promise<number>} make returns 0 when it succeeds
 * @property {string} made where the result is, from the folder aside
 */

/** @type {Product} */
const packages = {
  folder: 'node_modules',
  mark: '.perpdesk-installed',
  hash: (root) => hashOf(root, ['package-lock.json']),
  work: 'installing dependencies with npm ci (only when package-lock.json has changed)',
  done: 'installed',
  make: (root, aside) => {
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      copyFileSync(join(root, file), join(aside, file));
    // Packages do not run scripts of their own.
    const options = ['--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund'];
    return run('npm', ['ci', ...options, '--loglevel=error'], {
      cwd: aside,
      env: withoutSecrets(process.env),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  },
  made: 'node_modules',
};

const sources = ['index.html', 'vite.config.ts', 'tsconfig.json', 'package.json', 'package-lock.json', 'public', 'src'];
const notInTheApp = /^src\/(cli|evidence|files|server|sql|venue|testing|tools|serve\.ts)(\/|$)|\.test(-d)?\.tsx?$/;

/** @type {Product} */
const app = {
  folder: 'dist',
  mark: '.inputs',
  hash: (root) => hashOf(root, sources, (path) => !notInTheApp.test(path)),
  work: 'building the app with Vite (only when its sources have changed)',
  done: 'built',
  make: (root, aside) => {
    const vite = join('node_modules', 'vite', 'bin', 'vite.js');
    return runOnPinnedNode(root, [vite, 'build', '--logLevel', 'warn', '--outDir', aside]);
  },
  made: '.',
};

/**
 * @param {string} root
 * @param {Product} product
 */
function isUpToDate(root, { folder, mark, hash }) {
  try {
    return readFileSync(join(root, folder, mark), 'utf8') === hash(root);
  } catch {
    return false;
  }
}

/**
 * Moves what was built aside into place. The folder in use is never half of the old and half of the new one.
 *
 * @param {string} made
 * @param {string} folder
 */
function replace(made, folder) {
  const former = `${folder}.last`;
  rmSync(former, { recursive: true, force: true });
  try {
    renameSync(folder, former);
  } catch {
    // There is no folder yet, or it belongs to a container image, in which a folder can only be removed.
    rmSync(folder, { recursive: true, force: true });
  }
  renameSync(made, folder);
  rmSync(former, { recursive: true, force: true });
}

/**
 * @param {string} root
 * @param {Product} product
 * @returns {Promise<number>}
 */
async function make(root, product) {
  console.log(`perpdesk: ${product.work}`);
  const start = performance.now();
  const hash = product.hash(root);
  const folder = join(root, product.folder);
  const aside = `${folder}.next`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside);
  try {
    const code = await product.make(root, aside);
    if (code !== 0) return code;
    const made = join(aside, product.made);
    writeFileSync(join(made, product.mark), hash);
    replace(made, folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  console.log(`perpdesk: ${product.done} in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return 0;
}

/**
 * Makes the product, once for commands that are started together. If that fails, the previous product stays.
 *
 * @param {string} root
 * @param {Product} product
 * @returns {Promise<number>} 0 when the product is up to date
 */
async function ensure(root, product) {
  // A product that is up to date needs no lock, so it can be used from a read-only folder.
  if (isUpToDate(root, product)) return 0;
  const lock = join(root, '.perpdesk', `${product.folder}.lock`);
  return runExclusively(lock, async () => (isUpToDate(root, product) ? 0 : make(root, product)));
}

/**
 * Marks the installed packages as up to date. npm calls this after each of its own installations (the "dependencies"
 * script), so that a package added by hand is not installed a second time.
 *
 * @param {string} root
 */
export function markInstalled(root) {
  writeFileSync(join(root, packages.folder, packages.mark), packages.hash(root));
}

/** @param {string} root */
export function ensureInstalled(root) {
  return ensure(root, packages);
}

/** @param {string} root */
export function ensureBuilt(root) {
  return ensure(root, app);
}
