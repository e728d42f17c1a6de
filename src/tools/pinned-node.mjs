import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { become } from '#cli/become.mjs';
import { environmentOf } from '#cli/environment.mjs';
import { oldestMajor } from '#cli/node-flags.mjs';
import { run } from '#cli/run.mjs';
import { withoutSecrets } from '#cli/secrets.mjs';

/**
 * Returns the Node.js that package-lock.json pins for this platform; on any other platform, the one that runs this
 * file.
 *
 * @param {string} root
 */
function pinnedNode(root) {
  const pinned = join(root, 'node_modules', '.bin', 'node');
  return existsSync(pinned) ? pinned : process.execPath;
}

/**
 * @param {string} root
 * @returns {string | undefined} a sentence when no suitable Node.js can be used
 */
export function pinnedNodeProblem(root) {
  const node = pinnedNode(root);
  const checked = spawnSync(node, ['--version'], { encoding: 'utf8', env: withoutSecrets(process.env) });
  if (checked.error !== undefined || checked.status !== 0) {
    return `the pinned Node.js ${oldestMajor} (${node}) does not start; delete node_modules and try again.`;
  }
  const version = checked.stdout.trim().replace(/^v/, '');
  if (Number.parseInt(version, 10) >= oldestMajor) return undefined;
  return node === process.execPath
    ? `no pinned Node.js is available for ${process.platform} on ${process.arch}; install Node.js ${oldestMajor} or newer (this is ${version}).`
    : `the pinned Node.js is ${version}, but ${oldestMajor} or newer is needed; delete node_modules and try again.`;
}

/**
 * @param {string} root
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
export function runOnPinnedNode(root, args) {
  return run(pinnedNode(root), args, { cwd: root, env: environmentOn(root) });
}

/**
 * Replaces this process.
 *
 * @param {string} root
 * @param {readonly string[]} args
 * @param {readonly string[]} [secrets] names of the variables with the keys that the program needs
 * @returns {Promise<number>} the exit code
 */
export function becomeOnPinnedNode(root, args, secrets) {
  return become(pinnedNode(root), args, { cwd: root, env: environmentOn(root, secrets) });
}

/**
 * @param {string} root
 * @param {readonly string[]} [secrets]
 */
function environmentOn(root, secrets) {
  const path = [join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter);
  return { ...environmentOf(process.env, secrets), PATH: path };
}
