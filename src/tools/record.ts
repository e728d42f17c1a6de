// Records the responses of exchange and Perpdesk to the component tests while they run: all of them, or those that the
// named files add.
import { root } from './paths.mjs';
import { runComponentTests } from './runners.ts';
import { hasPassed } from './steps.ts';

const files = process.argv.slice(2);
const outcome = await runComponentTests(root, files, { PERPDESK_RECORD: files.length === 0 ? 'anew' : 'more' });
console.log(outcome.output);
process.exitCode = hasPassed(outcome) ? 0 : 1;
