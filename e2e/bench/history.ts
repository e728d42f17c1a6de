/** Order history over a million orders: scrolled to its end and back in a browser. Arguments: `--orders` (1000000). */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findBrowser } from '../../src/tools/browser.ts';
import { buildApp } from '../../src/testing/build-app.ts';
import { startDesk } from './history/desk.ts';
import { measureScroll, type Frames, type Measured, type Way } from './history/measure.ts';
import { publish, toDigits, type Goal } from './lib/report.ts';
import { formatTable } from './lib/table.ts';
import { startVenue, stores } from './venue/servers.ts';

const { values } = parseArgs({ options: { orders: { type: 'string', default: '1000000' } } });
const orders = Number(values.orders);
const STORE = 'history.sqlite';
/**
 * The core of everything except the browser: what serves a page is not measured, and runs on another machine in
 * practice.
 */
const SERVERS_CORE = 1;

function toRow(
  name: string,
  { seconds, frames, cpuMs, medianMs, p95Ms, longestMs, over50Ms, ...way }: Frames | Way,
): string[] {
  const ofFrames = [seconds, frames, cpuMs, medianMs, p95Ms, longestMs, over50Ms, (over50Ms / frames) * 1_000];
  const ofWay = 'longTasks' in way ? [way.longTasks.length, Math.max(0, ...way.longTasks), way.waitingFrames] : [];
  return [name, ...[...ofFrames, ...ofWay].map(toDigits)];
}

function toGoals({ heapMb, down, up }: Measured): Goal[] {
  const { afterTenPages, atTheEnd, backAtTheTop } = heapMb;
  const times = (mb: number) =>
    ({ relation: 'at most', limit: 1.2, unit: 'x after ten pages', measured: mb / afterTenPages }) as const;
  const none = (what: string, measured: number): Goal => ({ what, measured, relation: 'at most', limit: 0, unit: '' });
  return [
    { what: 'heap at the far end', ...times(atTheEnd) },
    { what: 'heap back at the top', ...times(backAtTheTop) },
    none('frames over 50 ms', down.over50Ms + up.over50Ms),
    ...(
      [
        ['down', down],
        ['back', up],
      ] as const
    ).flatMap(([way, { scrolled, missed, twice, outOfPlace }]): Goal[] => [
      { what: `orders scrolled through, ${way}`, measured: scrolled, relation: 'at least', limit: orders, unit: '' },
      none(`orders missed, ${way}`, missed),
      none(`orders seen twice, ${way}`, twice),
      none(`lines that differ from the venue’s list, ${way}`, outOfPlace),
    ]),
  ];
}

const found = await findBrowser();
if ('problem' in found) throw new Error(found.problem);
await buildApp();
mkdirSync(stores, { recursive: true });
const forget = (): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(join(stores, STORE + end), { force: true });
};
forget();
{
  await using venue = await startVenue({ store: STORE, orders, working: Math.min(1_200, orders), core: SERVERS_CORE });
  await using desk = await startDesk(venue.address, SERVERS_CORE);
  const measured = await measureScroll({ desk, venue, executablePath: found.path, core: SERVERS_CORE });
  const { heapMb, pages } = measured;
  console.log(
    `${measured.down.scrolled.toLocaleString('en')} of ${measured.orders.toLocaleString('en')} orders, ${pages.toLocaleString('en')} pages; heap ${toDigits(heapMb.afterTenPages)} MB after ten pages, ${toDigits(heapMb.atTheEnd)} at the end, ${toDigits(heapMb.backAtTheTop)} back at the top\n`,
  );
  const heads = [
    '',
    's',
    'frames',
    'CPU ms each',
    'median ms',
    'p95',
    'longest',
    'over 50',
    'of 1000',
    'long tasks',
    'longest',
    'waiting',
  ];
  console.log(
    formatTable(heads, [
      toRow('down', measured.down),
      toRow('back', measured.up),
      ...measured.bare.map((frames) => toRow('bare page', frames)),
    ]),
  );
  publish('history', toGoals(measured), measured);
}
forget();
