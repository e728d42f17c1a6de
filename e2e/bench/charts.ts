/**
 * The price screen beside the chart library alone, and Markets beside a static table of the same cells.
 * Arguments: `--rounds` (7), `--only` (price or markets).
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findBrowser } from '../../src/tools/browser.ts';
import { createPriceResponses, readMarketResponses } from './charts/responses.ts';
import { bundleCharts, pages, type PageName } from './charts/bundle.ts';
import { createMeter, type Meter } from './charts/measure.ts';
import { printResults, toGoals, type Results } from './charts/results.ts';
import { serve } from './charts/serve.ts';
import { publish } from './lib/report.ts';
import { runRounds } from './lib/rounds.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' }, only: { type: 'string' } } });
const found = await findBrowser();
if ('problem' in found) throw new Error(found.problem);
const { path: browserPath } = found;
await bundleCharts();

type Round = Awaited<ReturnType<Meter['measure']>>;
const rounds = Number(values.rounds);

async function measurePrice(): Promise<Results> {
  await using served = await serve(createPriceResponses(Date.now()));
  const meter = createMeter(served.address, browserPath);
  const all = '?range=All';
  const { width, height } = await meter.look(
    'price',
    all,
    () => document.querySelector('[role=application]')?.getBoundingClientRect().toJSON() as DOMRect,
  );
  const asLarge = `?width=${String(width)}&height=${String(height)}`;
  return await runRounds<PageName, Round>(['bare', 'price'], rounds, (name) =>
    name === 'price' ? meter.measure(name, all, '[role=application]') : meter.measure(name, asLarge, '#chart'),
  );
}

/** A height that makes the list draw all products, as the static table does. */
const ALL_ROWS_PX = 4_000;

async function measureMarkets(): Promise<Results> {
  await using served = await serve(await readMarketResponses());
  const meter = createMeter(served.address, browserPath);
  writeFileSync(
    join(pages, 'static.html.txt'),
    await meter.look('markets', '', () => document.getElementById('root')?.innerHTML ?? '', ALL_ROWS_PX),
  );
  return await runRounds<PageName, Round>(['static', 'markets'], rounds, (name) => meter.measure(name, ''));
}

const results = new Map([
  ...(values.only === 'markets' ? [] : await measurePrice()),
  ...(values.only === 'price' ? [] : await measureMarkets()),
]);
printResults(results);
publish('charts', toGoals(results), { rounds: Object.fromEntries(results) });
