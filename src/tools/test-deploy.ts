// Runs the tests that need more than Node.js and a browser: Caddy, promtool and Prometheus, systemd-analyze. These are
// installed or downloaded if possible. A test that lacks its program fails and names it.
import { root } from './paths.mjs';
import { runBrowserTests, runVitest } from './runners.ts';
import { runTests } from './steps.ts';

await runTests(
  [],
  [
    { name: 'deployment', run: () => runVitest(root, 'deploy', ['--maxWorkers=1']) },
    { name: 'behind a proxy', run: () => runBrowserTests(root, ['--grep', '@deploy', '--workers', '1']) },
  ],
);
