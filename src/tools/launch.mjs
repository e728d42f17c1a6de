// The front door of every npm script. It must start on the system's own Node with nothing installed,
// so it is plain JavaScript and everything it imports is too.
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { gatewayNodeFlags, venueNodeFlags } from './node-flags.mjs';
import { root } from './paths.mjs';
import { pinnedNodeProblem, runOnPinnedNode } from './pinned-node.mjs';

/**
 * @typedef {object} Command
 * @property {string} [program] what the pinned Node runs; a command without one is done once the app is built
 * @property {readonly string[]} [nodeFlags]
 * @property {boolean} [needsApp] the built app has to be there first
 */

/** @type {Readonly<Record<string, Command>>} */
const commands = {
  serve: { program: 'src/serve.ts', nodeFlags: venueNodeFlags, needsApp: true },
  gateway: { program: 'src/gateway/main.ts', nodeFlags: gatewayNodeFlags, needsApp: true },
  venue: { program: 'src/venue/main.ts', nodeFlags: venueNodeFlags },
  doctor: { program: 'src/gateway/doctor.ts' },
  conformance: { program: 'src/testing/conformance/main.ts' },
  build: { needsApp: true },
  verify: { program: 'src/tools/verify.ts' },
  test: { program: 'src/tools/test.ts' },
  generate: { program: 'src/tools/generate.ts' },
  openapi: { program: 'src/tools/openapi.ts' },
  bench: { program: 'src/tools/bench.ts' },
};

/**
 * @param {readonly string[]} argv
 * @returns {Promise<string | number>} the exit code; a sentence when the command could not be started
 */
async function launch([name = '', ...args]) {
  if (Number.parseInt(process.versions.node, 10) < 20) {
    return `Node.js 20 or newer is needed to start; this is ${process.versions.node}.`;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return `no command "${name}"; there is ${Object.keys(commands).join(', ')}.`;

  const installed = await ensureInstalled(root);
  if (installed !== 0) return 'installing the dependencies failed; the messages above say why.';
  const problem = pinnedNodeProblem(root);
  if (problem !== undefined) return problem;
  if (command.needsApp === true) {
    const built = await ensureBuilt(root);
    if (built !== 0) return 'building the app failed; the messages above say why.';
  }
  const { program, nodeFlags = [] } = command;
  return program === undefined ? 0 : runOnPinnedNode(root, [...nodeFlags, program, ...args]);
}

const outcome = await launch(process.argv.slice(2));
if (typeof outcome === 'string') console.error(`perpdesk: ${outcome}`);
// Whoever reads the last line of the tests must not take a start that failed for a run without failures.
if (typeof outcome === 'string' && process.argv[2] === 'test') console.log('0 passed, 1 failed');
process.exitCode = typeof outcome === 'string' ? 1 : outcome;
