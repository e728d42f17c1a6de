// Records anew what exchange and desk answer to the component tests, while they run.
import { root } from './paths.mjs';
import { runComponentTests } from './playwright-run.ts';
import { runTests } from './run-tests.ts';

await runTests([{ name: 'component tests', run: () => runComponentTests(root, { PERPDESK_RECORD: '1' }) }]);
