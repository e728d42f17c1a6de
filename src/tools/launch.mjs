// The front door of every npm script. It must start on the system's own Node with nothing installed,
// so it is plain JavaScript and everything it imports is too.
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { root } from './paths.mjs';
import { pinnedNodeProblem, runOnPinnedNode } from './pinned-node.mjs';

/**
 * @typedef {object} Command
 * @property {string} [program] what the pinned Node runs; a command without one is done once the app is built
 * @property {boolean} [needsApp] the built app has to be there first
 */

/** @type {Readonly<Record<string, Command>>} */
const commands = {
  serve: { program: 'src/serve.ts', needsApp: true },
  gateway: { program: 'src/gateway/main.ts', needsApp: true },
  venue: { program: 'src/venue/main.ts' },
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
 * @param {string} sentence
 * @returns {number} the exit code of a start that failed
 */
function refuse(sentence) {
  console.error(`perpdesk: ${sentence}`);
  return 1;
}

/**
 * @param {readonly string[]} argv
 * @returns {Promise<number>} the exit code
 */
async function launch([name = '', ...args]) {
  if (Number.parseInt(process.versions.node, 10) < 20) {
    return refuse(`Node.js 20 or newer is needed to start; this is ${process.versions.node}.`);
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return refuse(`no command "${name}"; there is ${Object.keys(commands).join(', ')}.`);

  const installed = await ensureInstalled(root);
  if (installed !== 0) return refuse('installing the dependencies failed; the messages above say why.');
  const problem = pinnedNodeProblem(root);
  if (problem !== undefined) return refuse(problem);
  if (command.needsApp === true) {
    const built = await ensureBuilt(root);
    if (built !== 0) return refuse('building the app failed; the messages above say why.');
  }
  return command.program === undefined ? 0 : runOnPinnedNode(root, [command.program, ...args]);
}

process.exitCode = await launch(process.argv.slice(2));
