/**
 * The price screen beside the chart library alone, without indicators and with five, and Markets beside a static table of
 * the same cells. Arguments: `--rounds` (7), `--only` (price or markets).
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
  const measures = {
    bare: () => meter.measure('bare', asLarge, '#chart'),
    price: () => meter.measure('price', all, '[role=application]'),
    lines: () => meter.measure('bare', `${asLarge}&lines`, '#chart'),
    indicators: () => meter.measure('price', `${all}&ind=${FIVE}`, '[role=application]'),
  };
  return await runRounds<keyof typeof measures, Round>(['bare', 'price', 'lines', 'indicators'], rounds, (name) =>
    measures[name](),
  );
}

/** Five indicators with a line each: three over the price, two in their own panes. */
const FIVE = 'sma:20,ema:50,sma:200,rsi:14,atr:14';

/** A height that makes the list draw all products, as the static table does. */
const ALL_ROWS_PX = 4_000;

async function measureMarkets(): Promise<Results> {
  await using served = await serve(await readMarketResponses());
  const meter = createMeter(served.address, browserPath);
  writeFileSync(
    join(pages, 'static.html.txt'),
    await meter.look('markets', '', () => document.getElementById('root')?.innerHTML ?? '', ALL_ROWS_PX),
  );
  return await runRounds<Extract<PageName, 'static' | 'markets'>, Round>(['static', 'markets'], rounds, (name) =>
    meter.measure(name, ''),
  );
}

const results = new Map([
  ...(values.only === 'markets' ? [] : await measurePrice()),
  ...(values.only === 'price' ? [] : await measureMarkets()),
]);
printResults(results);
publish('charts', toGoals(results), { rounds: Object.fromEntries(results) });
