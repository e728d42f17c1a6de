import util from 'node:util';
import { memoryLimits } from './node-flags.mjs';
import { withoutSecrets } from './secrets.mjs';
import { nodeNames, readSettingsFile } from './settings-file.mjs';

/**
 * The environment of a program that the launcher starts. What the launcher's own environment says of memory holds.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {readonly string[]} [secrets] names of the variables with the keys that the program needs
 * @returns {NodeJS.ProcessEnv}
 */
export function environmentOf(environment, secrets) {
  return { ...memoryLimits, ...readEarlySettings(environment), ...withoutSecrets(environment, secrets) };
}

/**
 * What the file of settings says to Node.js, which reads it before the program starts, such as NODE_EXTRA_CA_CERTS, and
 * the data folder, for the exchange, which does not read the file. The program reports a file that is not read.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @returns {NodeJS.ProcessEnv}
 */
function readEarlySettings({ DESK_CONFIG: path = '' }) {
  if (path.trim() === '') return {};
  const file = readSettingsFile(path.trim());
  const settings = Object.entries('problem' in file ? {} : util.parseEnv(file.text));
  return Object.fromEntries(settings.filter(([name]) => nodeNames.includes(name) || name === 'DESK_DATA_DIR'));
}
