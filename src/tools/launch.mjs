// The entry point of every npm script. It must start on the system's own Node.js with nothing installed, so this file
// and everything it imports is plain JavaScript.
import { commands as productCommands } from '#cli/commands.mjs';
import { findHelp } from '#cli/help.mjs';
import { root } from './paths.mjs';
import { becomeOnPinnedNode, pinnedNodeProblem } from './pinned-node.mjs';
import { ensureBuilt, ensureInstalled, markInstalled } from './prepare.mjs';

/**
 * A command without a program only builds the app.
 *
 * @typedef {Partial<import('#cli/commands.mjs').Command> & { readonly needsApp?: boolean }} Command
 */

/** @type {Readonly<Record<string, Command>>} */
const commands = {
  ...productCommands,
  'serve': { ...productCommands.serve, needsApp: true },
  'gateway': { ...productCommands.gateway, needsApp: true },
  'desks': { ...productCommands.desks, program: 'src/testing/desks/main.ts', needsApp: true },
  'compare-journal': { program: 'src/testing/journal-comparison/main.ts' },
  'record': { program: 'src/tools/record.ts' },
  'soak': { program: 'src/tools/soak.ts' },
  'conformance': { program: 'src/venue/conformance/main.ts', secrets: ['CONFORMANCE_AUTH_TOKEN'] },
  'build': { needsApp: true },
  'package': { program: 'src/tools/package.ts', needsApp: true },
  'image': { program: 'src/tools/image.ts', needsApp: true },
  'verify': { program: 'src/tools/verify.ts' },
  'test': { program: 'src/tools/test.ts' },
  'test-deploy': { program: 'src/tools/test-deploy.ts' },
  'test-quick': { program: 'src/tools/test-quick.ts' },
  'generate': { program: 'src/tools/generate.ts' },
  'openapi': { program: 'src/tools/openapi.ts' },
  'bench': { program: 'src/tools/bench.ts' },
};

/**
 * @param {readonly string[]} argv
 * @returns {Promise<string | number>} the exit code, or a sentence when the command could not be started
 */
async function launch([name = '', ...args]) {
  if (Number.parseInt(process.versions.node, 10) < 20) {
    return `Perpdesk needs Node.js 20 or newer to start; this is ${process.versions.node}.`;
  }
  if (name === 'installed') {
    markInstalled(root);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return `unknown command "${name}"; known commands: ${Object.keys(commands).join(', ')}.`;
  const help = findHelp(name, args);
  if (help !== undefined) {
    console.log(help);
    return 0;
  }

  const installed = await ensureInstalled(root);
  if (installed !== 0) return 'installing the dependencies failed; see the messages above.';
  const problem = pinnedNodeProblem(root);
  if (problem !== undefined) return problem;
  if (command.needsApp === true) {
    const built = await ensureBuilt(root);
    if (built !== 0) return 'building the app failed; see the messages above.';
  }
  const { program, nodeFlags = [], secrets } = command;
  return program === undefined ? 0 : becomeOnPinnedNode(root, [...nodeFlags, program, ...args], secrets);
}

/** @param {unknown} error */
function toSentence(error) {
  return error instanceof Error ? error.message : String(error);
}

const outcome = await launch(process.argv.slice(2)).catch(toSentence);
if (typeof outcome === 'string') console.error(`perpdesk: ${outcome}`);
// A reader of only the last line of the tests must not mistake a failed start for a run without failures.
if (typeof outcome === 'string' && process.argv[2] === 'test') console.log('0 passed, 1 failed');
process.exitCode = typeof outcome === 'string' ? 1 : outcome;
