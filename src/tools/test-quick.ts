// Quick feedback while you work: every check and unit test, the integration tests that are affected by the changes
// since a commit, and one path through each screen. It does not replace "npm test".
import { root } from './paths.mjs';
import { onAllCores, runBrowserTests, runVitest } from './runners.ts';
import { runTests } from './steps.ts';
import { createVerifySteps } from './verify.ts';

const [since = 'HEAD~1'] = process.argv.slice(2);

await runTests(createVerifySteps(root), [
  {
    name: 'integration tests',
    run: () => runVitest(root, 'integration', [...onAllCores(1), '--changed', since, '--passWithNoTests']),
  },
  { name: 'browser tests', run: () => runBrowserTests(root, ['--grep', '@quick']) },
]);
