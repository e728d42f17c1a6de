import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { DeskStatus } from '#contract/desk/status.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import { responds, thenResets } from '#testing/faults/behaviours.ts';
import {
  printsBefore,
  printText,
  SCRIPTED,
  servesFunding,
  type FundingScript,
} from '#testing/faults/funding-script.ts';
import type { Fault } from '#testing/faults/open-fault.ts';
import { openScriptedFunding, readStoredFunding } from '#testing/faults/scripted-funding.ts';
import { startServer } from '#testing/start-desk.ts';

/** A server in front of a scripted exchange: which requests it sends, how often, and what happens to the rows. */

const HOUR = 3_600_000;
const INTERVAL = 8 * HOUR;
let fault: Fault;
let script: FundingScript;
let boundary: number;

beforeEach(async () => {
  ({ fault, script, boundary } = await openScriptedFunding());
});

async function readFunding(query = '') {
  const before = fundingReads().length;
  const read = await readStoredFunding(fault, query);
  return { ...read, reads: fundingReads().length - before };
}

const fundingReads = () => fault.venue.requests.filter(({ target }) => target.includes('/funding-rates/?'));
const first = ({ perpetuals: [perpetual] }: DeskFunding) => perpetual ?? expect.fail('no perpetual');
/** Formats a time to the nanosecond. */
const fine = (hours: number) => at(hours).replace('.000Z', '.000000000Z');
const at = (hours: number) => new Date(boundary + hours * HOUR).toISOString();

test('the whole history is one read, and one finds none before it; then only new prints are read', async () => {
  const { funding, reads } = await readFunding();
  expect(first(funding)).toMatchObject({
    base_symbol: SCRIPTED.baseSymbol,
    product_id: 5_599,
    reaches_launch: true,
    known_from: at(-720),
    known_to: fine(0),
    stale_because: null,
  });
  expect(first(funding).prints).toHaveLength(90);
  expect(reads).toBe(2);
  fault.advance(3.9 * HOUR);
  expect((await readFunding()).reads).toBe(0);

  fault.advance(0.2 * HOUR);
  script.rows = printsBefore(boundary + INTERVAL, 91);
  const next = await readFunding();
  expect(next.reads).toBe(1);
  expect(fundingReads().at(-1)?.target).toContain(`begin_time=${at(0).replace('.000Z', '.000000000Z')}`);
  expect(first(next.funding).prints).toHaveLength(91);
  expect((await readFunding()).reads).toBe(0);
});

test('the environments of an exchange are stored apart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-environments-'));
  onTestFinished(() => {
    rmSync(dataDir, { recursive: true });
  });
  const profile = join(dataDir, 'profile.json');
  writeFileSync(
    profile,
    JSON.stringify({ name: 'mine', baseUrl: fault.venue.baseUrl, env: 'prod', mounts: { funding: '/v1/{env}' } }),
  );
  for (const environment of ['prod', 'sandbox']) {
    const desk = await startServer(fault.venue.baseUrl, dataDir, { DESK_VENUE: profile, DESK_VENUE_ENV: environment });
    const answer = await fetch(`${desk.address}api/desk/funding`);
    await desk.stop();
    expect(answer.status).toBe(200);
  }
  expect(new Set(fundingReads().map(({ target }) => /v1\/(\w+)/.exec(target)?.[1]))).toEqual(
    new Set(['prod', 'sandbox']),
  );
});

test('concurrent requests share one read', async () => {
  const responses = await Promise.all(Array.from({ length: 8 }, () => readFunding()));
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  expect(fundingReads()).toHaveLength(2);
});

test.each([
  { largestLimit: 100, limits: ['10000', '100', '100', '100', '100'] },
  { largestLimit: 99, limits: ['10000', '100', null, null, null, null] },
])(
  'an exchange that rejects pages of more than $largestLimit rows gets smaller limits, from then on at once',
  async ({ largestLimit, limits }) => {
    script = { ...script, rows: printsBefore(boundary, 250), maxRows: 99, largestLimit };
    fault.venue.alwaysDoes(servesFunding(script));
    const { funding } = await readFunding();
    expect(first(funding).prints).toHaveLength(250);
    expect(first(funding)).toMatchObject({ stale_because: null });
    expect(fundingReads().map(({ target }) => new URL(target, 'http://venue').searchParams.get('limit'))).toEqual(
      limits,
    );
  },
);

test('an exchange that returns smaller pages than requested is read up to the present', async () => {
  script.rows = printsBefore(boundary, 250);
  script.maxRows = 99;
  const { funding, reads } = await readFunding();
  expect(first(funding).prints).toHaveLength(250);
  expect(first(funding)).toMatchObject({ known_from: at(-2_000), stale_because: null });
  expect(reads).toBe(4);
});

test('an interrupted history continues where it stopped, and reports meanwhile that something is missing', async () => {
  script.rows = printsBefore(boundary, 250);
  script.maxRows = 100;
  const failure = responds({ status: 400, body: 'No.' });
  fault.venue.alwaysDoes((socket, request) => {
    const isSecond = request.target.includes('cursor=100');
    (isSecond ? failure : servesFunding(script))(socket, request);
  });
  const broken = first((await readFunding()).funding);
  expect(broken).toMatchObject({
    known_from: at(-2_000),
    known_to: fine(-1_200),
    stale_because: expect.stringContaining('No.') as string,
  });
  expect(broken.prints).toHaveLength(100);

  fault.venue.alwaysDoes(servesFunding(script));
  fault.advance(HOUR);
  const whole = await readFunding();
  expect(first(whole.funding)).toMatchObject({ known_from: at(-2_000), stale_because: null });
  expect(first(whole.funding).prints).toHaveLength(250);
  expect(whole.reads).toBe(2);
});

test('prints are passed on byte for byte: gap, duplicate, overlap, 4-hour interval, odd digits', async () => {
  const planted = [
    printText(at(-8), at(0), '1.00e-4'),
    printText(at(-12), at(-8)),
    printText(at(-24), at(-16), '0.0001234567890123456789'),
    printText(at(-24), at(-16), '0.0001234567890123456789'),
    printText(at(-30), at(-22)),
    printText(at(-38), at(-30), '-0.00050'),
  ];
  script.rows = planted;
  expect((await readFunding()).text).toContain(`"prints":[${planted.join(',')}]`);

  // The same rows come again as new rates.
  fault.advance(5 * HOUR);
  const late = [printText(at(4), at(8)), printText(at(0), at(8)), printText(at(0), at(8))];
  script.rows = [...late, ...planted];
  expect((await readFunding()).text).toContain(`"prints":[${[...late, ...planted].join(',')}]`);
});

test('the next funding time follows the length of the last interval', async () => {
  script.rows = [printText(at(0), at(4)), ...printsBefore(boundary, 3)];
  fault.advance(0.1 * HOUR);
  await readFunding();
  fault.advance(3.5 * HOUR);
  expect((await readFunding()).reads).toBe(0);
  fault.advance(0.5 * HOUR);
  expect((await readFunding()).reads).toBe(1);
});

test('an interval that has not ended is left out, and read once it has ended', async () => {
  const [inProgress, glitch] = [printText(at(0), at(8), '0.0002'), printText(at(90_000), at(90_008))];
  script.rows = [glitch, inProgress, ...printsBefore(boundary, 3)];
  expect(first((await readFunding()).funding).prints).toHaveLength(3);
  fault.advance(4.1 * HOUR);
  const settled = printText(at(0), at(8), '0.0009');
  script.rows = [settled, ...printsBefore(boundary, 3)];
  const next = await readFunding();
  expect([next.reads, next.text.includes(settled)]).toEqual([1, true]);
});

/** Makes one request a minute. */
async function countReadsOfAnHour(): Promise<number> {
  let reads = 0;
  for (let minute = 0; minute < 60; minute += 1) {
    reads += (await readFunding()).reads;
    fault.advance(60_000);
  }
  return reads;
}

test('a late print is read with growing pauses', async () => {
  await readFunding();
  fault.advance(4.1 * HOUR);
  const reads = await countReadsOfAnHour();
  expect(reads).toBeGreaterThan(5);
  expect(reads).toBeLessThanOrEqual(12);
  script.rows = printsBefore(boundary + INTERVAL, 91);
  fault.advance(600_000);
  expect(first((await readFunding()).funding).prints).toHaveLength(91);
});

test('a print that never comes does not delay the next', async () => {
  await readFunding();
  fault.advance(4.1 * HOUR);
  await countReadsOfAnHour();
  // Two minutes before the next funding time, which is less than any pause after it.
  fault.advance(6.9 * HOUR - 120_000);
  expect((await readFunding()).reads).toBe(1);
  script.rows = [...printsBefore(boundary + 2 * INTERVAL, 1), ...script.rows];
  fault.advance(150_000);
  expect(first((await readFunding()).funding).prints).toHaveLength(91);
});

test('a print published after the next one fills its gap with the following read', async () => {
  const [late = '', ...before] = script.rows;
  script.rows = before;
  await readFunding();
  fault.advance(4.1 * HOUR);
  script.rows = [printText(at(0), at(8)), ...before];
  expect((await readFunding()).text).toContain(`"prints":[${script.rows.join(',')}]`);

  fault.advance(INTERVAL);
  script.rows = [printText(at(8), at(16)), printText(at(0), at(8)), late, ...before];
  const filled = await readFunding();
  expect(filled.text).toContain(`"prints":[${script.rows.join(',')}]`);
  expect(filled.reads).toBe(1);
});

test('a permanent gap costs no more reads, and an interrupted read of it loses no known print', async () => {
  const [, ...before] = script.rows;
  script.rows = [printText(at(0), at(8)), ...before];
  fault.advance(4.1 * HOUR);
  await readFunding();
  const known = script.rows;
  script.rows = [printText(at(8), at(16)), ...known];
  script.maxRows = 2;
  const fails = responds({ status: 400, body: 'No.' });
  fault.venue.alwaysDoes((socket, request) => {
    (request.target.includes('cursor=2') ? fails : servesFunding(script))(socket, request);
  });
  fault.advance(INTERVAL);
  expect((await readFunding()).text).toContain(`"prints":[${known.join(',')}]`);

  script.maxRows = 10_000;
  fault.advance(60_000);
  const whole = await readFunding();
  expect(whole.text).toContain(`"prints":[${script.rows.join(',')}]`);
  expect([whole.reads, (await readFunding()).reads]).toEqual([1, 0]);
});

test('a first page without dates is read again, with growing pauses, until it has dates', async () => {
  const dated = script.rows;
  script.rows = dated.map((text) => text.replaceAll('Z"', '+00:00"'));
  expect(first((await readFunding()).funding)).toMatchObject({ known_from: null });
  const reads = await countReadsOfAnHour();
  expect(reads).toBeGreaterThan(5);
  expect(reads).toBeLessThanOrEqual(12);
  script.rows = dated;
  fault.advance(600_000);
  expect((await readFunding()).text).toContain(`"prints":[${dated.join(',')}]`);
});

test('a changed past is read anew', async () => {
  await readFunding();
  const changed = [printText(at(-8), at(0), '0.0007'), ...printsBefore(boundary - INTERVAL, 89)];
  fault.advance(4.1 * HOUR);
  script.rows = [printText(at(0), at(8)), ...changed];
  const { text } = await readFunding();
  expect(text).toContain(`"prints":[${script.rows.join(',')}]`);
});

test('a changed past is replaced only when all of the new one has arrived', async () => {
  await readFunding();
  const known = script.rows;
  fault.advance(4.1 * HOUR);
  script.rows = [printText(at(0), at(8)), printText(at(-8), at(0), '0.0007'), ...printsBefore(boundary - INTERVAL, 89)];
  const speaks = servesFunding(script);
  const fails = responds({ status: 503 });
  fault.venue.alwaysDoes((socket, request) => {
    (request.target.includes('begin_time=2000') ? fails : speaks)(socket, request);
  });
  const broken = await readFunding();
  expect(broken.text).toContain(`"prints":[${known.join(',')}]`);
  expect(first(broken.funding).stale_because).toMatch(/503/);

  fault.venue.alwaysDoes(speaks);
  fault.advance(120_000);
  const whole = await readFunding();
  expect(whole.text).toContain(`"prints":[${script.rows.join(',')}]`);
  expect(first(whole.funding).stale_because).toBeNull();
});

describe('without the exchange', () => {
  test('known prints are returned, with the reason why there are no newer ones', async () => {
    await readFunding();
    fault.advance(4.1 * HOUR);
    fault.venue.alwaysDoes(thenResets(() => undefined));
    const { funding } = await readFunding();
    expect(first(funding).prints).toHaveLength(90);
    expect(first(funding).stale_because).toMatch(/exchange/i);

    script.rows = printsBefore(boundary + INTERVAL, 91);
    fault.venue.alwaysDoes(servesFunding(script));
    fault.advance(120_000);
    const back = first((await readFunding()).funding);
    expect([back.prints.length, back.stale_because]).toEqual([91, null]);
  });

  test('without known prints the problem says why', async () => {
    fault.venue.alwaysDoes(thenResets(() => undefined));
    const answer = await fault.send('/api/desk/funding');
    expect(answer.status).toBe(502);
    expect(JSON.parse(answer.body.toString())).toMatchObject({ type: 'urn:perpdesk:problem:venue-unreachable' });
  });
});

test('a response that is not a page of funding rates is a failure, not an empty history', async () => {
  script.failure = responds({ body: '{"data": {}}' });
  expect(first((await readFunding()).funding)).toMatchObject({
    prints: [],
    known_from: null,
    known_to: null,
    reaches_launch: false,
    stale_because: 'The exchange’s response is not a page of funding rates.',
  });
});

test('pages have no gap between them, even among prints of one instant', async () => {
  script.rows = [
    ...printsBefore(boundary, 3),
    printText(at(-32), at(-16)),
    printText(at(-32), at(-16)),
    ...printsBefore(boundary - 3 * INTERVAL, 4),
  ];
  // Sorted by time: the inserted ones ended when the third did.
  const whole = first((await readFunding()).funding).prints;
  const walked: unknown[] = [];
  for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined;) {
    const { funding } = await readFunding(`?base_symbol=BTCUC&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
    walked.push(...first(funding).prints);
    ({ cursor } = funding.pagination);
  }
  expect(walked).toEqual(whole);
  expect(walked).toHaveLength(9);
  const since = await readFunding(`?begin_time=${at(-8)}`);
  expect(first(since.funding).prints.map(({ interval_end }) => interval_end)).toEqual([at(0), at(-8)]);
});

test('the status shows the requests spent', async () => {
  await readFunding();
  const { funding } = JSON.parse((await fault.send('/api/desk/status')).body.toString()) as DeskStatus;
  expect(funding).toMatchObject([{ base_symbol: 'BTCUC', product_id: 5_599, prints: 90, reads: 2 }]);
});

test('an estimate is stored with the elapsed fraction of its interval, and with the print once there is one', async () => {
  script.estimate = { funding_rate: 0.00012, interval_start: at(0), interval_end: at(8) };
  await readFunding();
  await fault.send('/api/funding-rates/estimated/BTCUC');
  const kept = async (query = '') =>
    JSON.parse((await fault.send(`/api/desk/estimates${query}`)).body.toString()) as { estimates: { share: number }[] };
  const [estimate] = (await kept('?base_symbol=BTCUC')).estimates;
  expect(estimate).toMatchObject({ base_symbol: 'BTCUC', estimate: 0.00012, settled: null });
  expect(estimate?.share).toBeCloseTo(0.5, 2);
  expect((await kept('?base_symbol=OTHER')).estimates).toEqual([]);
  // It was read in the middle of the interval, which is one of the points.
  expect((await kept(`?near_points=true&begin_time=${at(8)}`)).estimates).toHaveLength(1);
  expect((await kept(`?begin_time=${at(8.1)}`)).estimates).toEqual([]);

  fault.advance(4.1 * HOUR);
  script.rows = [printText(at(0), at(8), '0.00015'), ...script.rows];
  await readFunding();
  expect((await kept()).estimates).toMatchObject([{ estimate: 0.00012, settled: 0.00015 }]);
});

test.each([
  ['limit=5', 'limit'],
  ['cursor=abc', 'cursor'],
  ['base_symbol=BTCUC&limit=10001', 'limit'],
  ['base_symbol=BTCUC&cursor=abc', 'cursor'],
  ['begin_time=now', 'begin_time'],
  ['end_time=now', 'end_time'],
])('%s is rejected by name, and nothing is read', async (query, parameter) => {
  const answer = await fault.send(`/api/desk/funding?${query}`);
  expect(JSON.parse(answer.body.toString())).toMatchObject({ status: 400, parameter });
  expect(fault.venue.requests).toHaveLength(0);
});
