/**
 * Compares the product's grid with the least that a grid can cost, and with others: 10,000 orders of 17 columns,
 * loaded, scrolled, sorted, filtered, updated. Arguments: `--rounds` (5), `--only` (names, separated by commas).
 */
import { parseArgs } from 'node:util';
import { findBrowser } from '../../src/tools/browser.ts';
import { bundlePage, measureOwnPart } from './grid/bundle.ts';
import { measureContender } from './grid/measure.ts';
import { CONTENDERS, printResults, toGoals, type ContenderName } from './grid/results.ts';
import { servePages } from './grid/serve-pages.ts';
import { publish } from './lib/report.ts';
import { runRounds } from './lib/rounds.ts';
import { createWireOrders } from './lib/wire-orders.ts';

const ROWS = 10_000;
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' }, only: { type: 'string' } } });
const all = Object.keys(CONTENDERS) as ContenderName[];
const names = values.only === undefined ? all : all.filter((name) => values.only?.split(',').includes(name));

const found = await findBrowser();
if ('problem' in found) throw new Error(found.problem);
const sizes = new Map<ContenderName, number>();
for (const name of names) sizes.set(name, await bundlePage(name, CONTENDERS[name]));
const ownBytes = await measureOwnPart();
await using served = await servePages(JSON.stringify(createWireOrders(ROWS)));
const results = await runRounds(names, Number(values.rounds), (name) =>
  measureContender(`${served.address}/${name}/`, found.path),
);
printResults(results, sizes);
publish('grid', toGoals(results, sizes, ownBytes), {
  rows: ROWS,
  ownBytes,
  sizes: Object.fromEntries(sizes),
  rounds: Object.fromEntries(results),
});
