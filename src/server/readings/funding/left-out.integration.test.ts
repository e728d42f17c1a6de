import { beforeEach, expect, test } from 'vitest';
import type { DeskFunding } from '#contract/desk/funding.ts';
import { responds } from '#testing/faults/behaviours.ts';
import { printsBefore, printText, servesFunding, type FundingScript } from '#testing/faults/funding-script.ts';
import type { Fault } from '#testing/faults/open-fault.ts';
import { openScriptedFunding, readStoredFunding } from '#testing/faults/scripted-funding.ts';

/** Rows that do not match the server’s request are not stored as rates. */

const HOUR = 3_600_000;
const INTERVAL = 8 * HOUR;
let fault: Fault;
let script: FundingScript;
let boundary: number;

beforeEach(async () => {
  ({ fault, script, boundary } = await openScriptedFunding());
});

const readFunding = () => readStoredFunding(fault);

/** Responds to all reads of settled rates with these rows. */
function answerWith(rows: readonly string[]): void {
  const [page, others] = [
    responds({ body: `{"data":[${rows.join(',')}],"pagination":{"cursor":null}}` }),
    servesFunding(script),
  ];
  fault.venue.alwaysDoes((socket, request) => {
    (request.target.includes('/funding-rates/?') ? page : others)(socket, request);
  });
}

const first = ({ perpetuals: [perpetual] }: DeskFunding) => perpetual ?? expect.fail('no perpetual');
const at = (hours: number) => new Date(boundary + hours * HOUR).toISOString();
/** Formats a time to the nanosecond. */
const fine = (hours: number) => at(hours).replace('.000Z', '.000000000Z');

test('a row that does not answer the request is left out and counted, until the exchange no longer sends it', async () => {
  const foreign = printText(at(-16), at(-8), '0.005').replace('5599', '5608');
  const [newest = '', ...older] = printsBefore(boundary, 3);
  script.rows = [printText(at(0), at(8)), newest, foreign, ...older];
  const { funding, text } = await readFunding();
  expect(text).toContain(`"prints":[${[newest, ...older].join(',')}]`);
  expect(first(funding)).toMatchObject({ left_out: 2, known_to: fine(0), stale_because: null });

  fault.advance(4.1 * HOUR);
  script.rows = [printText(at(0), at(8)), newest, ...older];
  expect(first((await readFunding()).funding)).toMatchObject({ left_out: 1, prints: { length: 4 } });

  fault.advance(INTERVAL);
  const changed = printText(at(0), at(8), '0.0007');
  script.rows = [printText(at(8), at(16)), changed, ...older];
  expect(first((await readFunding()).funding)).toMatchObject({ left_out: 0, prints: { length: 5 } });
});

test('a row from before the range replaces no known print', async () => {
  await readFunding();
  const known = script.rows;
  fault.advance(4.1 * HOUR);
  script.rows = [printText(at(0), at(8)), ...known];
  answerWith([printText(at(-300), at(-292), '0.009'), known[0] ?? '', printText(at(0), at(8))]);
  const { funding, text } = await readFunding();
  expect(text).toContain(`"prints":[${script.rows.join(',')}]`);
  expect(first(funding)).toMatchObject({ left_out: 1, stale_because: null });
});

test('pages in the reverse of the requested order are refused; one page is put in order', async () => {
  const newestFirst = script.rows;
  script.rows = newestFirst.toReversed();
  script.maxRows = 40;
  const refused = first((await readFunding()).funding);
  expect(refused).toMatchObject({
    prints: [],
    reaches_launch: false,
    stale_because: expect.stringContaining('newest first, although oldest first was requested') as string,
  });

  answerWith(newestFirst);
  fault.advance(0.5 * HOUR);
  expect((await readFunding()).text).toContain(`"prints":[${newestFirst.join(',')}]`);
});

test.each([
  ['is null', 'null'],
  ['is a text', '"0.0001"'],
  ['is beyond every number', '1e999'],
])('a row whose rate %s is left out and counted, and the others are kept', async (_, rate) => {
  const rows = printsBefore(boundary, 90);
  script.rows = rows.map((text, index) => (index === 40 ? text.replace('0.000100', rate) : text));
  const { text, funding } = await readFunding();
  expect(text).toContain(`"prints":[${rows.filter((_, index) => index !== 40).join(',')}]`);
  expect(first(funding)).toMatchObject({ left_out: 1, stale_because: null });
});
