#!/usr/bin/env node
// What the package installs as `perpdesk`. It must start on any Node.js, so that an old one is named in a sentence.
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { commands } from './commands.mjs';
import { environmentOf } from './environment.mjs';
import { oldestMajor } from './node-flags.mjs';
import { run } from './run.mjs';
import { describeUsage } from './usage.mjs';

/**
 * @param {readonly string[]} argv
 * @returns {Promise<number>} the exit code
 */
async function perpdesk([name = 'serve', ...args]) {
  if (['--help', '-h', 'help'].includes(name)) return print(describeUsage(manifest.version));
  if (['--version', '-v'].includes(name)) return print(manifest.version);
  const command = Object.entries(commands).find(([one]) => one === name)?.[1];
  if (command === undefined) return reject(`"${name}" is not a command. perpdesk --help lists all commands.`);
  const { parameters, nodeFlags = [], secrets } = command;
  const [surplus] = parameters === undefined ? args : [];
  if (surplus !== undefined)
    return reject(`perpdesk ${name} takes no arguments, such as "${surplus}". Settings are environment variables.`);
  if (Number.parseInt(process.versions.node, 10) < oldestMajor)
    return reject(`Node.js ${oldestMajor} or newer is required; this is ${process.versions.node}.`);
  return run(process.execPath, [...nodeFlags, join(import.meta.dirname, `${name}.js`), ...args], {
    env: environmentOf(process.env, secrets),
  });
}

/** @param {string} text */
function print(text) {
  console.log(text);
  return 0;
}

/** @param {string} sentence */
function reject(sentence) {
  console.error(`perpdesk: ${sentence}`);
  return 2;
}

process.exitCode = await perpdesk(process.argv.slice(2));
