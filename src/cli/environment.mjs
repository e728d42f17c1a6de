import { memoryLimits } from './node-flags.mjs';
import { withoutSecrets } from './secrets.mjs';

/**
 * The environment of a program that the launcher starts. What the launcher's own environment says of memory holds.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {readonly string[]} [secrets] names of the variables with the keys that the program needs
 * @returns {NodeJS.ProcessEnv}
 */
export function environmentOf(environment, secrets) {
  return { ...memoryLimits, ...withoutSecrets(environment, secrets) };
}
