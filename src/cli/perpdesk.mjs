#!/usr/bin/env node
// What the package installs as `perpdesk`. It must start on any Node.js, so that an old one is named in a sentence.
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { become } from './become.mjs';
import { commands } from './commands.mjs';
import { environmentOf } from './environment.mjs';
import { describeUsage, findHelp } from './help.mjs';
import { oldestMajor } from './node-flags.mjs';

/**
 * @param {readonly string[]} argv
 * @returns {Promise<number>} the exit code
 */
async function perpdesk(argv) {
  const [first = 'serve', ...others] = argv;
  if (first.split('=')[0] === '--config') return withConfig(first.slice('--config='.length), others);
  if (['--help', '-h', 'help'].includes(first)) return print(describeUsage(manifest.version));
  if (['--version', '-v'].includes(first)) return print(manifest.version);
  return start(first, others);
}

/**
 * @param {string} attached the file, if it belongs to the same argument
 * @param {readonly string[]} others
 */
function withConfig(attached, others) {
  const [file = '', ...rest] = attached === '' ? others : [attached, ...others];
  if (file === '') return reject('--config needs the path of a file of settings.');
  process.env['DESK_CONFIG'] = file;
  return perpdesk(rest);
}

/**
 * @param {string} name
 * @param {readonly string[]} args
 * @returns {Promise<number> | number}
 */
function start(name, args) {
  const command = Object.entries(commands).find(([one]) => one === name)?.[1];
  if (command === undefined) return reject(`"${name}" is not a command. perpdesk --help lists all commands.`);
  const help = findHelp(name, args);
  if (help !== undefined) return print(help);
  const { takesArguments = false, nodeFlags = [], secrets } = command;
  const [surplus] = takesArguments ? [] : args;
  if (surplus !== undefined)
    return reject(`perpdesk ${name} takes no arguments, such as "${surplus}". perpdesk ${name} --help explains it.`);
  if (Number.parseInt(process.versions.node, 10) < oldestMajor)
    return reject(`Node.js ${oldestMajor} or newer is required; this is ${process.versions.node}.`);
  return become(process.execPath, [...nodeFlags, join(import.meta.dirname, `${name}.js`), ...args], {
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
