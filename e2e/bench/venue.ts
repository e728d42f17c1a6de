/** Measures the reference exchange under load: order pages, working orders, and the cost of running and of starting. */
import { mkdirSync, rmSync } from 'node:fs';
import { pinThisProcess } from './lib/program.ts';
import { publish } from './lib/report.ts';
import { lifeGoals, makeStore, measureLiveMarket, measureWarmStart, printLife } from './venue/life.ts';
import { measurePages, pageGoals, printPages } from './venue/pages.ts';
import { stores } from './venue/servers.ts';
import { measureWorking, printWorking, workingGoals } from './venue/working.ts';

const MILLION = 'million.sqlite';
const TEN_THOUSAND = 'ten-thousand.sqlite';
const USUAL = 'usual.sqlite';
const WORKING = 'working.sqlite';

rmSync(stores, { recursive: true, force: true });
mkdirSync(stores, { recursive: true });

const making = await makeStore(MILLION, 1_000_000);
await makeStore(TEN_THOUSAND, 10_000);
await makeStore(WORKING, 1_000, 10_000);
await makeStore(USUAL, 20_000);

const life = { making, warm: await measureWarmStart(MILLION), live: await measureLiveMarket(USUAL) };
printLife(life);

// From here on every server has its own core, to which the earlier ones must not be limited.
pinThisProcess(0);
const pages = await measurePages(MILLION, TEN_THOUSAND);
printPages(pages);
const working = await measureWorking(WORKING);
printWorking(working);

publish('venue', [...lifeGoals(life, pages.memory.peakMb), ...pageGoals(pages), ...workingGoals(working)], {
  life,
  pages,
  working,
});
rmSync(stores, { recursive: true, force: true });
