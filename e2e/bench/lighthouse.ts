/**
 * Reports what Lighthouse says about the screens as on a phone, with our own server and exchange, each in a process.
 * The page keeps its policy, because Lighthouse uses the browser's own interface. In the same rounds it also measures a
 * page with the chart library alone. Arguments: `--rounds` (3), `--only` (`/price`, or `/` for the first screen).
 */
import { parseArgs } from 'node:util';
import { findBrowser } from '../../src/tools/browser.ts';
import { startDesk } from '../../src/testing/start-desk.ts';
import { createAuditor, type Audited } from './lighthouse/audit.ts';
import { serveBareChart } from './lighthouse/bare-chart.ts';
import { CHART_ALONE, SCREENS, type Audit } from './lighthouse/screens.ts';
import { printResults, toGoals } from './lighthouse/results.ts';
import { publish } from './lib/report.ts';
import { runRounds } from './lib/rounds.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' }, only: { type: 'string' } } });
const screens = values.only === undefined ? SCREENS : SCREENS.filter((screen) => screen === values.only);
if (screens.length === 0) throw new Error(`no screen "${values.only ?? ''}"; there is ${SCREENS.join(', ')}.`);
const found = await findBrowser();
if ('problem' in found) throw new Error(found.problem);

const desk = await startDesk({ venue: ['--history-days', '400'] });
try {
  await using alone = await serveBareChart(desk.server.address);
  const auditor = createAuditor(found.path);
  const results = await runRounds<Audit, Audited>([...screens, CHART_ALONE], Number(values.rounds), (what) =>
    auditor.audit(what, what === CHART_ALONE ? alone.address : new URL(what, desk.server.address).href),
  );
  printResults(results);
  publish('lighthouse', toGoals(results), Object.fromEntries(results));
} finally {
  await desk.stop();
}
