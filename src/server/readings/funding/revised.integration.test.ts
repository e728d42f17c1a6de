import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { DeskStatus } from '#contract/desk/status.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import { printsBefore, printText, servesFunding, type FundingScript } from '#testing/faults/funding-script.ts';
import { openFault, type Fault } from '#testing/faults/open-fault.ts';
import { openScriptedFunding, readStoredFunding } from '#testing/faults/scripted-funding.ts';
import { startServer } from '#testing/start-desk.ts';

/** Settled rates that the exchange changes or withdraws later: noticed, and both values kept. */

const HOUR = 3_600_000;
const WEEK = 7 * 24;
let fault: Fault;
let script: FundingScript;
let boundary: number;

beforeEach(async () => {
  ({ fault, script, boundary } = await openScriptedFunding());
});

const at = (hours: number) => new Date(boundary + hours * HOUR).toISOString();
/** Formats a time to the nanosecond. */
const fine = (hours: number) => at(hours).replace('.000Z', '.000000000Z');
const first = ({ perpetuals: [perpetual] }: DeskFunding) => perpetual ?? expect.fail('no perpetual');
const readFunding = async () => first((await readStoredFunding(fault)).funding);
const readRevised = async () => (await readFunding()).revised;
const revised = (hours: number, rate: number) => ({
  interval_end: fine(hours),
  is_withdrawn: false,
  before: { funding_rate: rate },
});

/** Lets a week pass, in which no rate is missing. */
function passWeek(): void {
  fault.advance((WEEK + 1) * HOUR);
  script.rows = [...printsBefore(boundary + (WEEK - 8) * HOUR, 20), ...script.rows];
}

function change(hours: number, rate: string): void {
  script.rows = script.rows.map((text) =>
    text.includes(`"interval_end":"${at(hours)}"`) ? printText(at(hours - 8), at(hours), rate) : text,
  );
}

test('a rate that was changed months ago is noticed within a week, and both values are kept', async () => {
  await readFunding();
  passWeek();
  change(-400, '0.0009');
  await expect.poll(readRevised).toMatchObject([revised(-400, 0.0001)]);
  const { prints } = await readFunding();
  expect(prints.find(({ interval_end: end }) => end === at(-400))?.funding_rate).toBe(0.0009);
  expect(prints).toHaveLength(110);
});

test('after a restart, the last thirty days are compared', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-revised-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const open = async () => {
    const server = await startServer(fault.venue.baseUrl, folder);
    onTestFinished(async () => {
      await server.stop();
    });
    const read = async () => first((await (await fetch(`${server.address}api/desk/funding`)).json()) as DeskFunding);
    return { read, stop: () => server.stop() };
  };
  const before = await open();
  await before.read();
  await before.stop();
  change(-80, '0.0009');
  const after = await open();
  await expect.poll(async () => (await after.read()).revised).toMatchObject([revised(-80, 0.0001)]);
  const reads = fault.venue.requests.filter(({ target }) => target.includes('begin_time')).map(({ target }) => target);
  expect(reads.at(-1)).not.toContain('begin_time=2000');
});

test('a rate written with other white space or digits has not changed', async () => {
  await readFunding();
  passWeek();
  script.rows = script.rows.map((text) => text.replace(', ', ',').replace('0.000100', '1e-4'));
  const readsBefore = fault.venue.requests.length;
  await expect.poll(async () => (await readFunding(), fault.venue.requests.length)).toBeGreaterThan(readsBefore + 1);
  expect(await readRevised()).toEqual([]);
});

test('a changed newest rate is noticed wherever it is read, and the status says so', async () => {
  await readFunding();
  script.latest = printText(at(-8), at(0), '0.0009');
  await fault.send('/api/funding-rates/?limit=100');
  await expect.poll(readRevised).toMatchObject([revised(0, 0.0001)]);
  const { funding } = JSON.parse((await fault.send('/api/desk/status')).body.toString()) as DeskStatus;
  expect(funding).toMatchObject([{ revised: { interval_end: fine(0), before: 0.0001 } }]);
});

test('a rate that has two values, depending on where it is read, keeps both', async () => {
  await readFunding();
  script.latest = printText(at(-8), at(0), '0.0009');
  await fault.send('/api/funding-rates/?limit=100');
  await expect.poll(async () => (await readFunding()).prints[0]?.funding_rate).toBe(0.0009);
  passWeek();
  await expect.poll(async () => (await readFunding()).prints[20]?.funding_rate).toBe(0.0001);
  expect(await readRevised()).toMatchObject([revised(0, 0.0009)]);
});

test('a changed mark or index is a revision, too', async () => {
  await readFunding();
  passWeek();
  script.rows = script.rows.map((text) =>
    text.includes(`"interval_end":"${at(-400)}"`) ? text.replace('101240.5', '111240.5') : text,
  );
  await expect.poll(readRevised).toMatchObject([{ before: { mark_price: 101_240.5 } }]);
});

test('a rate that is no longer published is kept and named, until it is published again', async () => {
  await readFunding();
  passWeek();
  const all = script.rows;
  script.rows = all.filter((text) => !text.includes(`"interval_end":"${at(-400)}"`));
  await expect.poll(readRevised).toMatchObject([{ ...revised(-400, 0.0001), is_withdrawn: true }]);
  expect((await readFunding()).prints).toHaveLength(110);
  const later = printsBefore(boundary + (2 * WEEK - 8) * HOUR, 21);
  script.rows = [...later, ...all];
  // The next comparison is a week after the end of the one that noticed it, which may not be over yet.
  await expect
    .poll(() => {
      fault.advance(WEEK * HOUR);
      return readRevised();
    })
    .toEqual([]);
});

test('a shortened history removes no known rate', async () => {
  await readFunding();
  passWeek();
  script.rows = script.rows.slice(0, 60);
  change(-80, '0.0009');
  await expect.poll(readRevised).toMatchObject([revised(-80, 0.0001)]);
  expect((await readFunding()).prints).toHaveLength(110);
});

test('nothing is compared while less than half of the request budget is free', async () => {
  fault = await openFault({ budget: { requests: 8, seconds: 300 } });
  fault.advance(boundary + 4 * HOUR - Date.now());
  fault.venue.alwaysDoes(servesFunding(script));
  await readFunding();
  passWeek();
  change(-400, '0.0009');
  for (const limit of [1, 2, 3, 4]) await fault.send(`/api/funding-rates/?limit=${String(limit)}`);
  const spent = fault.venue.requests.length;
  for (let count = 0; count < 3; count += 1) await readFunding();
  expect(fault.venue.requests.slice(spent).filter(({ target }) => target.includes('begin_time=2000'))).toEqual([]);
  fault.advance(HOUR);
  await expect.poll(readRevised).toMatchObject([revised(-400, 0.0001)]);
});
