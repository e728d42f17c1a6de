// Runs the embedded exchange faster than time with a Perpdesk in front of it, and compares the journal with what the
// exchange stored.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readChanges, readJournal, type RunningDesk } from '#server/journal/export-changes.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { startServer } from '../start-desk.ts';
import type { StartedProcess } from '../start-process.ts';
import { compareRecord, type JournaledChange } from './compare-record.ts';
import { describeComparison } from './describe-comparison.ts';
import { readRecord, startRecord } from './order-record.ts';

const { values } = parseArgs({
  options: {
    'hours': { type: 'string', default: '2' },
    'speed': { type: 'string', default: '8' },
    'orders': { type: 'string', default: '12000' },
    'seconds': { type: 'string', default: '5' },
    'activity': { type: 'string', default: '1' },
    'persist-lag': { type: 'string', default: '500' },
    'clock': { type: 'string', default: '2026-08-18T14:00:00Z' },
  },
});
const [hours, speed] = [Number(values.hours), Number(values.speed)];
const HOUR_MS = 3_600_000;
const NOTE_MS = 60_000;
const CLOCK_MS = 1_000;
/** How much later than newer orders an order may appear in the order history, by the exchange’s clock. */
const OVERLAP_MS = 60_000;
/** The budget that the exchange grants at its normal speed. */
const [REQUESTS, PER_SECONDS] = [200, 300];

const folder = mkdtempSync(join(tmpdir(), 'perpdesk-'));
try {
  for (const line of await run()) console.log(line);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function observeUntilStopped({ address, stop }: StartedProcess): ReturnType<typeof observe> {
  try {
    return await observe(address);
  } finally {
    await stop();
  }
}

async function run(): Promise<readonly string[]> {
  const file = join(folder, 'venue.sqlite');
  const options = [
    '--store',
    file,
    '--working',
    values.orders,
    '--orders',
    '20000',
    '--history-days',
    '60',
    '--clock',
    values.clock,
    '--activity',
    values.activity,
    '--persist-lag',
    values['persist-lag'],
  ];
  await (await startVenue(options)).stop();
  startRecord(file);
  const venue = await startVenue([...options, '--live', 'on', '--speed', values.speed]);
  const { desk, clock } = await observeUntilStopped(venue);
  const toVenueTime = (wall: number): number => clock.venue + (wall - clock.wall) * speed;
  const gaps = desk.gaps.map(({ from, to }) => ({
    from: toVenueTime(Date.parse(from)),
    to: toVenueTime(Date.parse(to)),
  }));
  const found = toVenueTime(desk.historyTo) - OVERLAP_MS;
  // The exchange’s clock is known to the second.
  const times = { first: toVenueTime(desk.first + CLOCK_MS), last: toVenueTime(desk.last), gaps, found };
  return describeComparison(compareRecord(readRecord(file), desk.changes, times), { ...desk, ...times });
}

async function observe(address: string) {
  const clock = await readClock(address);
  const server = await startServer(address, join(folder, 'desk'), {
    DESK_JOURNAL_SECONDS: values.seconds,
    DESK_BUDGET: `${String(REQUESTS * speed)}/${String(PER_SECONDS)}`,
  });
  try {
    const running = { address: new URL(server.address), token: null };
    await waitFor(running, (hours * HOUR_MS) / speed);
    return { desk: await readDesk(running), clock };
  } finally {
    await server.stop();
  }
}

/** Measures the exchange's clock, because its responses are dated only to the second. */
async function readClock(address: string): Promise<{ readonly wall: number; readonly venue: number }> {
  const response = await fetch(address);
  await response.body?.cancel();
  return { wall: Date.now(), venue: Date.parse(response.headers.get('date') ?? '') };
}

async function waitFor(desk: RunningDesk, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    await pause(Math.min(NOTE_MS, end - performance.now()));
    const { changes, read_to: last } = await readJournal(desk, {});
    console.error(`${(changes ?? NaN).toLocaleString('en')} changes, last reading ${last ?? 'none'}`);
  }
}

async function readDesk(desk: RunningDesk) {
  const { kept_from: first, read_to: last, history_to: historyTo, bytes, gaps } = await readJournal(desk, {});
  if (first === null || last === null || historyTo === null || bytes === null) throw new Error('The journal is empty.');
  const changes: JournaledChange[] = [];
  for await (const page of readChanges(desk, { end_time: new Date(Date.parse(last) + 1).toISOString() })) {
    for (const { kind, order_id: id, order } of page)
      changes.push({
        kind,
        id,
        filled: Number((JSON.parse(order) as Readonly<Record<string, unknown>>)['quantity_filled']),
      });
  }
  return { first: Date.parse(first), last: Date.parse(last), historyTo: Date.parse(historyTo), bytes, gaps, changes };
}
