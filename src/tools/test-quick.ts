// A quick answer while you work: every check and unit test, the integration tests that the changes since a commit affect,
// and one path through each screen. Not a substitute for "npm test".
import { onMoreThanAllCores } from './command.ts';
import { root } from './paths.mjs';
import { runBrowserTests } from './playwright-run.ts';
import { runTests } from './run-tests.ts';
import { runVitest } from './vitest-run.ts';

const [since = 'HEAD~1'] = process.argv.slice(2);

await runTests([
  {
    name: 'integration tests',
    run: () => runVitest(root, 'integration', [...onMoreThanAllCores(), '--changed', since, '--passWithNoTests']),
  },
  { name: 'browser tests', run: () => runBrowserTests(root, ['--grep', '@quick']) },
]);
