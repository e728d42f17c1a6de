// What needs more than Node.js and a browser: Caddy, promtool and Prometheus, systemd-analyze. They are installed or
// downloaded where that is possible; a test that lacks its program fails and names it.
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
