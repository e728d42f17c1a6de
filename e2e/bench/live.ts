/**
 * Measures what pushing costs and how soon it arrives. Arguments: `--only` the parts to measure, separated by commas;
 * `--rounds` (5), `--minutes` (5) in which requests are counted, `--tabs` (50). Each part has its own file of results.
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildApp } from '../../src/testing/build-app.ts';
import { publish, type Goal } from './lib/report.ts';
import { diffGoals, measureDiff, printDiff } from './live/diff.ts';
import { fanOutGoals, measureFanOut, printFanOut } from './live/fan-out/measure.ts';
import { latencyGoals, measureLatency, printLatency } from './live/latency.ts';
import { measureMemory, memoryGoals, printMemory } from './live/memory.ts';
import { measurePaint, paintGoals, printPaint } from './live/paint.ts';
import { startBrowser } from './live/pages.ts';
import { measureRequests, printRequests, requestGoals } from './live/requests.ts';
import { folder, startVenue } from './live/servers.ts';
import { measureTab, measureTabs, printTab, printTabs, tabGoals, tabsGoals } from './live/tabs.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    minutes: { type: 'string', default: '5' },
    tabs: { type: 'string', default: '50' },
  },
});
const [rounds, minutes, tabs] = [Number(values.rounds), Number(values.minutes), Number(values.tabs)];

interface Part {
  readonly results: unknown;
  readonly goals: readonly Goal[];
}

function toPart<Result>(results: Result, print: (results: Result) => void, toGoals: (results: Result) => Goal[]): Part {
  print(results);
  return { results: results instanceof Map ? Object.fromEntries(results) : results, goals: toGoals(results) };
}

const parts = {
  'diff': async () => toPart(await measureDiff(rounds), printDiff, diffGoals),
  'fan-out': async () => toPart(await measureFanOut(rounds), printFanOut, fanOutGoals),
  'memory': async () => toPart(await measureMemory(), printMemory, memoryGoals),
  'paint': () =>
    inBrowser(async (venue, browser) => toPart(await measurePaint(venue, browser, rounds), printPaint, paintGoals)),
  'latency': () =>
    inBrowser(async (venue, browser) => toPart(await measureLatency(venue, browser), printLatency, latencyGoals)),
  'requests': () =>
    inBrowser(async (venue, browser) =>
      toPart(await measureRequests(venue, browser, minutes), printRequests, requestGoals),
    ),
  'tab': async () => {
    await using venue = await startVenue();
    return toPart(await measureTab(venue.address, rounds), printTab, tabGoals);
  },
  'tabs': async () => {
    await using venue = await startVenue();
    return toPart(
      await measureTabs(venue.address, tabs, rounds),
      (results) => {
        printTabs(results, tabs);
      },
      tabsGoals,
    );
  },
} as const satisfies Record<string, () => Promise<Part>>;

async function inBrowser(
  measure: (venue: URL, browser: Awaited<ReturnType<typeof startBrowser>>['browser']) => Promise<Part>,
): Promise<Part> {
  await using venue = await startVenue();
  await using started = await startBrowser();
  return await measure(venue.address, started.browser);
}

const chosen = values.only?.split(',') ?? Object.keys(parts);
const unknown = chosen.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined) throw new Error(`unknown part "${unknown}"; known parts: ${Object.keys(parts).join(', ')}`);

await buildApp();
for (const [name, measure] of Object.entries(parts)) {
  if (!chosen.includes(name)) continue;
  const { results, goals } = await measure();
  publish(`live-${name}`, goals, results);
}
rmSync(folder, { recursive: true, force: true });
