import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { responds, GOOD_BODY, thenEnds, writes, type Behaviour } from '#testing/fault/behaviours.ts';
import { openFault } from '#testing/fault/open-fault.ts';
import { expectProblem } from '#testing/fault/problems.ts';

const PAGE = '{"data":[{"id":"1"},{"id":"2"}],"next_cursor":null}';
const ENDS_LIKE_A_PAGE = PAGE.slice(0, PAGE.indexOf('}') + 1);
const packed = gzipSync(GOOD_BODY);
const unframed = { 'content-length': null, connection: 'close' };
const chunked = { 'content-length': null, 'transfer-encoding': 'chunked' };

/** For all three attempts. */
function thrice(behaviour: Behaviour): readonly Behaviour[] {
  return [behaviour, behaviour, behaviour];
}

describe('an incomplete response', () => {
  it.each([
    ['shorter than its content-length', thenEnds(responds({ headers: { 'content-length': '5000' } })), /broke off before its end/],
    ['longer than its content-length', responds({ headers: { 'content-length': '20' } }), /is cut/],
    ['without its last chunk', thenEnds(responds({ headers: chunked, body: `${GOOD_BODY.length.toString(16)}\r\n${GOOD_BODY}\r\n` })), /broke off before its end/],
    ['in chunks that are none', thenEnds(responds({ headers: chunked, body: `zz\r\n${GOOD_BODY}\r\n0\r\n\r\n` })), /not HTTP that can be read|broke off/],
    ['without a length, and cut', thenEnds(responds({ headers: unframed, body: GOOD_BODY.slice(0, 30) })), /is cut/],
    ['without a length, and cut where it looks whole', thenEnds(responds({ headers: unframed, body: ENDS_LIKE_A_PAGE })), /is cut/],
    ['of a good length, packed and cut', responds({ headers: { 'content-encoding': 'gzip', 'content-length': '30' }, body: packed.subarray(0, 30) }), /cannot be unpacked/],
    ['of a good length, packed and spoilt', responds({ headers: { 'content-encoding': 'gzip' }, body: Buffer.from(packed).fill(7, 12, 40) }), /cannot be unpacked/],
    ['said to be packed, and is not', responds({ headers: { 'content-encoding': 'br' } }), /cannot be unpacked/],
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
    ['packed in two pieces', responds({ headers: { 'content-encoding': 'gzip' }, body: members })],
    ['packed, without a length', thenEnds(responds({ headers: { ...unframed, 'content-encoding': 'gzip' }, body: packed }))],
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
