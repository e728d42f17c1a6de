/**
 * Measures the cost of checking every field of a response of 10,000 orders, compared with parsing its JSON alone: in
 * Node, and in a browser under our page's policy, which forbids generating code at run time.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, bundles } from './decode/bundle.ts';
import { createPageMeter } from './decode/in-browser.ts';
import { measureInNode } from './decode/in-node.ts';
import type { Measured } from './decode/measure.ts';
import { publish, toDigits } from './lib/report.ts';
import { runRounds } from './lib/rounds.ts';
import { toSpread } from './lib/statistics.ts';
import { formatTable } from './lib/table.ts';
import { createWireOrders } from './lib/wire-orders.ts';

const CONTENDERS = ['ours', 'ajv', 'valibot', 'arktype', 'zod', 'typebox'] as const;
type Contender = (typeof CONTENDERS)[number];

const LABELS: Readonly<Record<Contender, string>> = {
  ours: 'ours, tolerant',
  ajv: 'Ajv, compiled ahead',
  valibot: 'valibot',
  arktype: 'ArkType',
  zod: 'zod 4',
  typebox: 'TypeBox Value.Check',
};
const ROWS = 10_000;
const ROUNDS = 5;
const LIMIT = 1.2;

type Measurements = ReadonlyMap<Contender, readonly { readonly node: Measured; readonly browser: Measured }[]>;

function summarize(measurements: Measurements, sizes: ReadonlyMap<Contender, number>) {
  return CONTENDERS.map((name) => {
    const rounds = measurements.get(name) ?? [];
    const brotliBytes = sizes.get(name) ?? 0;
    const ratios = {
      node: rounds.map((round) => round.node.ratio),
      browser: rounds.map((round) => round.browser.ratio),
    };
    return { name, brotliBytes, node: toSpread(ratios.node), browser: toSpread(ratios.browser), rounds };
  });
}

function print(summary: ReturnType<typeof summarize>, browser: string): void {
  const rows = summary.map(({ name, node, browser: page, brotliBytes }) => [
    LABELS[name],
    toDigits(node.median),
    `${toDigits(node.lowest)}-${toDigits(node.highest)}`,
    toDigits(page.median),
    `${toDigits(page.lowest)}-${toDigits(page.highest)}`,
    toDigits(brotliBytes / 1000),
  ]);
  console.log(
    `10,000 orders: JSON.parse and check, as a multiple of JSON.parse alone; medians of ${String(ROUNDS)} rounds.`,
  );
  console.log(
    'Peers check the type of each field and the listed words; ours also finds unknown fields and rounded numbers.\n',
  );
  console.log(formatTable(['', 'Node', 'spread', browser, 'spread', 'kB brotli'], rows));
}

mkdirSync(bundles, { recursive: true });
const ordersFile = join(bundles, 'orders.json');
const text = JSON.stringify(createWireOrders(ROWS));
writeFileSync(ordersFile, text);
await bundle('page', 'page.ts');
const sizes = new Map<Contender, number>();
for (const name of CONTENDERS) sizes.set(name, (await bundle(name, `contenders/${name}.ts`)).brotliBytes);

await using pages = await createPageMeter(ordersFile);
const measurements = await runRounds(CONTENDERS, ROUNDS, async (name) => ({
  node: await measureInNode(name, ordersFile, ROWS),
  browser: await pages.measure(name, ROWS),
}));
const summary = summarize(measurements, sizes);
print(summary, pages.browser);
const ours = summary.find(({ name }) => name === 'ours');
const goal = { relation: 'at most', limit: LIMIT, unit: 'x JSON.parse' } as const;
publish(
  'decode',
  [
    { ...goal, what: 'tolerant parse in Node', measured: ours?.node.median ?? Number.NaN },
    { ...goal, what: 'tolerant parse in the browser', measured: ours?.browser.median ?? Number.NaN },
  ],
  { rows: ROWS, bytes: text.length, browser: pages.browser, contenders: summary },
);
