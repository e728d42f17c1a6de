import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { responds, thenDrips, thenPours, writes } from './behaviours.ts';
import { measureHeldMemory } from './held-memory.ts';
import { openFault } from './open-fault.ts';
import { expectProblem } from './problems.ts';

const MB = 1_048_576;
const GB = 1_024 * MB;
const spaces = Buffer.alloc(64 * 1_024, ' ');
const chunk = Buffer.concat([Buffer.from('10000\r\n'), spaces, Buffer.from('\r\n')]);
const chunked = { 'content-length': null, 'transfer-encoding': 'chunked' };
const large = Buffer.alloc(24 * MB, ' ');
const nothingPacked = Buffer.concat(Array<Buffer>(3_000).fill(gzipSync('')));
const gzipBomb = Buffer.concat(Array<Buffer>(3).fill(gzipSync(large.subarray(0, 8 * MB), { level: 1 })));
const brotliBomb = brotliCompressSync(large, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

describe('a response that is too large', () => {
  it.each([
    ['of 1 GB, announced', thenPours(responds({ headers: { 'content-length': String(GB) } }), spaces, GB), 8 * MB],
    ['of 1 GB, in chunks', thenPours(responds({ headers: chunked, body: '1\r\n[\r\n' }), chunk, GB), 32 * MB],
    [
      'of 1 GB, until the connection ends',
      thenPours(responds({ headers: { 'content-length': null } }), spaces, GB),
      32 * MB,
    ],
    [
      'of 1 GB that decompresses to nothing',
      thenPours(
        responds({ headers: { 'content-length': null, 'content-encoding': 'gzip' }, body: '' }),
        nothingPacked,
        GB,
      ),
      32 * MB,
    ],
    ['a gzip bomb', responds({ headers: { 'content-encoding': 'gzip' }, body: gzipBomb }), MB],
    ['a brotli bomb', responds({ headers: { 'content-encoding': 'br' }, body: brotliBomb }), MB],
  ])('%s is aborted at the limit, not retried, and leaks no memory', async (_, behaviour, mostSent) => {
    const fault = await openFault();
    await fault.expectRecovered();
    const before = { memory: measureHeldMemory(), sent: fault.venue.bytesWritten() };
    fault.venue.does(behaviour);
    fault.advance(60_000);
    expectProblem(await fault.send('/api/product/data/'), {
      type: 'venue-answer-unreadable',
      detail: /^The exchange’s response is larger than 16 MB\.$/,
    });
    expect(fault.venue.requests).toHaveLength(2);
    expect(fault.venue.bytesWritten() - before.sent).toBeLessThan(mostSent);
    await fault.expectRecovered();
    expect(measureHeldMemory() - before.memory).toBeLessThan(8 * MB);
  });

  it.each([
    ['one header', writes(`HTTP/1.1 200 OK\r\nx-bomb: ${'a'.repeat(MB)}\r\n\r\n`)],
    ['ten thousand headers', writes(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(10_000)}\r\n`)],
    ['headers without end', thenDrips(writes('HTTP/1.1 200 OK\r\n'), `x: ${'a'.repeat(1_000)}\r\n`, 1)],
    [
      'early hints without end',
      thenDrips(writes(''), `HTTP/1.1 103 Early Hints\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 1),
    ],
  ])('by %s is not valid HTTP', async (_, behaviour) => {
    const fault = await openFault();
    fault.venue.does(behaviour, behaviour, behaviour);
    expectProblem(await fault.send(), { type: 'venue-answer-unreadable', detail: /is not valid HTTP/ });
    expect(fault.venue.requests).toHaveLength(3);
    await fault.expectRecovered();
  });

  it('of exactly the limit is accepted', async () => {
    const fault = await openFault();
    const body = Buffer.alloc(16 * MB, ' ');
    body.write('[', 0);
    body.write(']', body.byteLength - 1);
    fault.venue.does(responds({ body }));
    const answer = await fault.send();
    expect({ status: answer.status, bytes: answer.body.byteLength }).toEqual({ status: 200, bytes: body.byteLength });
    expect(answer.body.equals(body)).toBe(true);
    await fault.expectRecovered();
  });
});
