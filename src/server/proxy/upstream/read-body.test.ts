import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { TransientFailure } from './response-failures.ts';
import { readBodyStart, readBody } from './read-body.ts';

const encoders = {
  'gzip': gzipSync,
  'x-gzip': gzipSync,
  'br': brotliCompressSync,
  'deflate': deflateSync,
  'GZIP': gzipSync,
} as const;

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error: unknown) => error,
  );
}

/** Cut into pieces at these places. */
function inPieces(bytes: Buffer, cuts: readonly number[]): Readable {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.byteLength + 1)), bytes.byteLength])].sort(
    (a, b) => a - b,
  );
  return Readable.from(
    places.slice(1).map((end, index) => bytes.subarray(places[index], end)),
    { objectMode: false },
  );
}

describe('readBody', () => {
  it('decodes every content encoding, however the body is cut into pieces', async () => {
    const coding = fc.constantFrom(
      'identity' as const,
      'gzip' as const,
      'x-gzip' as const,
      'br' as const,
      'deflate' as const,
      'GZIP' as const,
    );
    const run = fc.asyncProperty(
      fc.uint8Array({ minLength: 1, maxLength: 5_000 }),
      coding,
      fc.array(fc.nat(5_000), { maxLength: 8 }),
      async (bytes, name, cuts) => {
        const body = Buffer.from(bytes);
        const packed = name === 'identity' ? body : encoders[name](body);
        expect(await readBody(inPieces(packed, cuts), { 'content-encoding': name })).toEqual(body);
      },
    );
    await fc.assert(run);
  });

  it('rejects a body that exceeds the limit, and accepts one of exactly that size', async () => {
    const limit = 1_000;
    for (const pack of [(body: Buffer) => body, gzipSync]) {
      const headers = pack === gzipSync ? { 'content-encoding': 'gzip' } : {};
      expect((await readBody(Readable.from([pack(Buffer.alloc(limit))]), headers, { limit })).byteLength).toBe(limit);
      const failure = await failureOf(readBody(Readable.from([pack(Buffer.alloc(limit + 1))]), headers, { limit }));
      expect(failure).toBeInstanceOf(VenueFailure);
      expect(failure).not.toBeInstanceOf(TransientFailure);
    }
  });

  it('does not start reading if Content-Length exceeds the limit', async () => {
    let read = 0;
    const body = new Readable({
      read: () => {
        read += 1;
      },
    });
    expect(await failureOf(readBody(body, { 'content-length': '1001' }, { limit: 1_000 }))).toMatchObject({
      message: expect.stringMatching(/is larger than/) as string,
    });
    expect({ read, destroyed: body.destroyed }).toEqual({ read: 0, destroyed: true });
  });

  it.each(['zstd', 'gzip, gzip', 'constructor', ''])('drops a body with the encoding "%s" unread', async (coding) => {
    const body = new Readable({ read: () => undefined });
    expect(await failureOf(readBody(body, { 'content-encoding': coding }))).toMatchObject({
      message: expect.stringMatching(/unsupported content encoding/) as string,
    });
    expect(body.destroyed).toBe(true);
  });

  it('fails as its source does if it breaks off', async () => {
    for (const headers of [{}, { 'content-encoding': 'gzip' }]) {
      const broken = new Error('the line is dead');
      const body = new Readable({
        read() {
          this.push(gzipSync('x').subarray(0, 12));
          this.destroy(broken);
        },
      });
      expect(await failureOf(readBody(body, headers))).toBe(broken);
    }
  });

  it('holds no more than there is room for, and fails as the wait for room does', async () => {
    const gone = new DOMException('The caller has gone.', 'AbortError');
    const asked: number[] = [];
    const body = Readable.from([gzipSync(Buffer.alloc(1_000_000))]);
    const roomFor = (bytes: number) => {
      asked.push(bytes);
      return bytes > 100_000 ? Promise.reject(gone) : undefined;
    };
    expect(await failureOf(readBody(body, { 'content-encoding': 'gzip' }, { roomFor }))).toBe(gone);
    expect([asked.filter((bytes) => bytes > 100_000).length, body.destroyed]).toEqual([1, true]);
  });

  it('fails if the compressed data is truncated', async () => {
    const cut = gzipSync('x'.repeat(100)).subarray(0, -3);
    expect(await failureOf(readBody(Readable.from([cut]), { 'content-encoding': 'gzip' }))).toMatchObject({
      message: 'The exchange’s response cannot be decompressed.',
    });
  });
});

describe('readBodyStart', () => {
  it('returns all of a short body', async () => {
    expect(
      (await readBodyStart(Readable.from([gzipSync('no such product')]), { 'content-encoding': 'gzip' })).toString(),
    ).toBe('no such product');
  });

  it('returns no more than the limit and drops the rest', async () => {
    const body = new Readable({
      read() {
        this.push(Buffer.alloc(700, 'a'));
      },
    });
    expect((await readBodyStart(body, {}, 1_000)).byteLength).toBe(1_000);
    expect(body.destroyed).toBe(true);
  });

  it('returns what arrived before the body broke off, or nothing', async () => {
    const pieces = [Buffer.from('the book')];
    const body = new Readable({
      read() {
        const piece = pieces.shift();
        if (piece === undefined) this.destroy(new Error('dead'));
        else this.push(piece);
      },
    });
    expect((await readBodyStart(body, {})).toString()).toBe('the book');
    expect((await readBodyStart(Readable.from([Buffer.from('x')]), { 'content-encoding': 'zstd' })).toString()).toBe(
      '',
    );
  });
});
