import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VenueFailure } from '../ports.ts';
import { PassingFailure } from './passing-failure.ts';
import { takeStart, takeWhole } from './take-whole.ts';

const packers = { gzip: gzipSync, 'x-gzip': gzipSync, br: brotliCompressSync, deflate: deflateSync, GZIP: gzipSync } as const;

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(() => null, (error: unknown) => error);
}

/** Cut into pieces at these places. */
function inPieces(bytes: Buffer, cuts: readonly number[]): Readable {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.byteLength + 1)), bytes.byteLength])].sort((a, b) => a - b);
  return Readable.from(places.slice(1).map((end, index) => bytes.subarray(places[index], end)), { objectMode: false });
}

describe('a body taken whole', () => {
  it('is what was packed, however it is packed and cut into pieces', async () => {
    const coding = fc.constantFrom('identity' as const, 'gzip' as const, 'x-gzip' as const, 'br' as const, 'deflate' as const, 'GZIP' as const);
    const run = fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 5_000 }), coding, fc.array(fc.nat(5_000), { maxLength: 8 }), async (bytes, name, cuts) => {
      const body = Buffer.from(bytes);
      const packed = name === 'identity' ? body : packers[name](body);
      expect(await takeWhole(inPieces(packed, cuts), { 'content-encoding': name })).toEqual(body);
    });
    await fc.assert(run);
  });

  it('is refused where it passes the limit, and exactly there', async () => {
    const limit = 1_000;
    for (const pack of [(body: Buffer) => body, gzipSync]) {
      const headers = pack === gzipSync ? { 'content-encoding': 'gzip' } : {};
      expect((await takeWhole(Readable.from([pack(Buffer.alloc(limit))]), headers, limit)).byteLength).toBe(limit);
      const failure = await failureOf(takeWhole(Readable.from([pack(Buffer.alloc(limit + 1))]), headers, limit));
      expect(failure).toBeInstanceOf(VenueFailure);
      expect(failure).not.toBeInstanceOf(PassingFailure);
    }
  });

  it('is not begun where its length says that it is too large', async () => {
    let read = 0;
    const body = new Readable({ read: () => { read += 1; } });
    expect(await failureOf(takeWhole(body, { 'content-length': '1001' }, 1_000))).toMatchObject({ message: expect.stringMatching(/is larger than/) as string });
    expect({ read, destroyed: body.destroyed }).toEqual({ read: 0, destroyed: true });
  });

  it.each(['zstd', 'gzip, gzip', 'constructor', ''])('packed with "%s" is dropped unread', async (coding) => {
    const body = new Readable({ read: () => undefined });
    expect(await failureOf(takeWhole(body, { 'content-encoding': coding }))).toMatchObject({ message: expect.stringMatching(/not asked for/) as string });
    expect(body.destroyed).toBe(true);
  });

  it('that breaks off fails as its source did', async () => {
    for (const headers of [{}, { 'content-encoding': 'gzip' }]) {
      const broken = new Error('the line is dead');
      const body = new Readable({ read() { this.push(gzipSync('x').subarray(0, 12)); this.destroy(broken); } });
      expect(await failureOf(takeWhole(body, headers))).toBe(broken);
    }
  });

  it('that ends before its packing does cannot be unpacked', async () => {
    const cut = gzipSync('x'.repeat(100)).subarray(0, -3);
    expect(await failureOf(takeWhole(Readable.from([cut]), { 'content-encoding': 'gzip' }))).toMatchObject({ message: 'The venue’s answer cannot be unpacked.' });
  });
});

describe('the beginning of a refusal', () => {
  it('is all of a short one', async () => {
    expect((await takeStart(Readable.from([gzipSync('no such product')]), { 'content-encoding': 'gzip' })).toString()).toBe('no such product');
  });

  it('is no more than its limit, and the rest is dropped', async () => {
    const body = new Readable({ read() { this.push(Buffer.alloc(700, 'a')); } });
    expect((await takeStart(body, {}, 1_000)).byteLength).toBe(1_000);
    expect(body.destroyed).toBe(true);
  });

  it('is what came before it broke off, or nothing', async () => {
    const pieces = [Buffer.from('the book')];
    const body = new Readable({ read() { const piece = pieces.shift(); if (piece === undefined) this.destroy(new Error('dead')); else this.push(piece); } });
    expect((await takeStart(body, {})).toString()).toBe('the book');
    expect((await takeStart(Readable.from([Buffer.from('x')]), { 'content-encoding': 'zstd' })).toString()).toBe('');
  });
});
