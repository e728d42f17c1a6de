import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { responds, GOOD_BODY, thenEnds, writes, type Behaviour } from './behaviours.ts';
import { openFault } from './open-fault.ts';
import { expectProblem } from './problems.ts';

const PAGE = '{"data":[{"id":"1"},{"id":"2"}],"next_cursor":null}';
const ENDS_LIKE_A_PAGE = PAGE.slice(0, PAGE.indexOf('}') + 1);
const compressed = gzipSync(GOOD_BODY);
const unframed = { 'content-length': null, 'connection': 'close' };
const chunked = { 'content-length': null, 'transfer-encoding': 'chunked' };

/** Repeats a behaviour for all three attempts. */
function thrice(behaviour: Behaviour): readonly Behaviour[] {
  return [behaviour, behaviour, behaviour];
}

describe('an incomplete response', () => {
  it.each([
    ['shorter than its content-length', thenEnds(responds({ headers: { 'content-length': '5000' } })), /was cut off/],
    ['longer than its content-length', responds({ headers: { 'content-length': '20' } }), /is truncated/],
    [
      'without its last chunk',
      thenEnds(responds({ headers: chunked, body: `${GOOD_BODY.length.toString(16)}\r\n${GOOD_BODY}\r\n` })),
      /was cut off/,
    ],
    [
      'in malformed chunks',
      thenEnds(responds({ headers: chunked, body: `zz\r\n${GOOD_BODY}\r\n0\r\n\r\n` })),
      /not valid HTTP|was cut off/,
    ],
    [
      'without a length, truncated',
      thenEnds(responds({ headers: unframed, body: GOOD_BODY.slice(0, 30) })),
      /is truncated/,
    ],
    [
      'without a length, truncated where it looks complete',
      thenEnds(responds({ headers: unframed, body: ENDS_LIKE_A_PAGE })),
      /is truncated/,
    ],
    [
      'of a valid length, with truncated gzip',
      responds({ headers: { 'content-encoding': 'gzip', 'content-length': '30' }, body: compressed.subarray(0, 30) }),
      /cannot be decompressed/,
    ],
    [
      'of a valid length, with corrupt gzip',
      responds({ headers: { 'content-encoding': 'gzip' }, body: Buffer.from(compressed).fill(7, 12, 40) }),
      /cannot be decompressed/,
    ],
    ['declared as compressed, but not', responds({ headers: { 'content-encoding': 'br' } }), /cannot be decompressed/],
    ['empty', responds({ body: '' }), /is empty/],
  ])('%s is retried twice, and no part of it is passed on', async (_, behaviour, detail) => {
    const fault = await openFault();
    fault.venue.does(...thrice(behaviour));
    expectProblem(await fault.send(), { type: 'venue-answer-unreadable', detail });
    expect(fault.venue.requests).toHaveLength(3);
    await fault.expectRecovered();
  });
});

describe('a complete response in an old or unusual form', () => {
  const members = Buffer.concat([gzipSync(GOOD_BODY.slice(0, 10)), gzipSync(GOOD_BODY.slice(10))]);
  it.each([
    ['without a length, ended by its connection', thenEnds(responds({ headers: unframed }))],
    ['of HTTP/1.0', thenEnds(writes(`HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n${GOOD_BODY}`))],
    ['in many chunks', responds({ headers: chunked, body: `${GOOD_BODY.replace(/./g, '1\r\n$&\r\n')}0\r\n\r\n` })],
    ['compressed, in two pieces', responds({ headers: { 'content-encoding': 'gzip' }, body: members })],
    [
      'compressed, without a length',
      thenEnds(responds({ headers: { ...unframed, 'content-encoding': 'gzip' }, body: compressed })),
    ],
    ['with spaces around', responds({ body: `\r\n ${GOOD_BODY}\n` })],
  ])('%s is accepted at once', async (_, behaviour) => {
    const fault = await openFault();
    fault.venue.does(behaviour);
    const { status, body } = await fault.send();
    expect({ status, body: body.toString().trim() }).toEqual({ status: 200, body: GOOD_BODY });
    expect(fault.venue.requests).toHaveLength(1);
    await fault.expectRecovered();
  });
});
