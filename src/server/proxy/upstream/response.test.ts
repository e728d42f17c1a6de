import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type Body, createBody } from '#server/core/body.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import {
  ageMsOf,
  checkJson,
  createChunkCollector,
  type Headers,
  optional,
  parseHttpDate,
  readBody,
  readBodyStart,
  single,
  TransientFailure,
} from './response.ts';

describe('a header that may occur once', () => {
  it.each([
    [undefined, undefined],
    ['a', 'a'],
    [['a'], 'a'],
    [['a', 'a'], 'a'],
  ])('%j is %s', (value, expected) => {
    expect(single({ x: value }, 'x')).toBe(expected);
  });

  it('with two different values makes the response unreadable', () => {
    expect(() => single({ x: ['a', 'b'] }, 'x')).toThrow('The exchange’s response has two different x headers.');
  });
});

describe('an optional header', () => {
  it.each([
    [undefined, undefined],
    ['a', 'a'],
    [['a', 'b'], undefined],
  ])('%j is %s', (value, expected) => {
    expect(optional({ x: value }, 'x')).toBe(expected);
  });
});

describe('the age of a response', () => {
  it.each([
    [undefined, 0],
    ['0', 0],
    ['600', 600_000],
    ['-5', 0],
    ['1.5', 0],
    ['soon', 0],
    [['5', '6'], 0],
  ])('%j is %i ms', (age, milliseconds) => {
    expect(ageMsOf({ age })).toBe(milliseconds);
  });
});

describe('a date', () => {
  it.each([
    ['Mon, 17 Aug 2026 12:00:05 GMT', Date.UTC(2026, 7, 17, 12, 0, 5)],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ])('%j is read', (text, at) => {
    expect(parseHttpDate(text)).toBe(at);
  });

  it.each([
    undefined,
    '',
    'Invalid Date',
    '0',
    '-1',
    '2026-08-17T12:00:05Z',
    '+275760-09-13T00:00:00Z',
    'Sat, 13 Sep 275760 00:00:00 GMT',
    'Tue, 17 Aug 2026 12:00:05 GMT',
    'Mon, 17 Aug 2026 24:00:00 GMT',
    'Mon, 31 Feb 2026 12:00:05 GMT',
    'Mon, 17 Aug 2026 12:00:05 +0200',
    'Mon, 7 Aug 2026 12:00:05 GMT',
    'mon, 17 aug 2026 12:00:05 gmt',
    'Monday, 17-Aug-26 12:00:05 GMT',
    'Mon Aug 17 12:00:05 2026',
    ' Mon, 17 Aug 2026 12:00:05 GMT',
    'Mon, 17 Aug 2026 12:00:05 GMT\n',
  ])('%j is none', (text) => {
    expect(parseHttpDate(text)).toBeNull();
  });
});

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

/** Cuts the bytes into pieces at these places. */
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
    const spaceFor = (bytes: number) => {
      asked.push(bytes);
      return bytes > 100_000 ? Promise.reject(gone) : undefined;
    };
    expect(await failureOf(readBody(body, { 'content-encoding': 'gzip' }, { spaceFor }))).toBe(gone);
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

function collect(chunks: readonly Buffer[]): Body {
  const collector = createChunkCollector();
  for (const chunk of chunks) collector.add(chunk);
  expect(collector.length()).toBe(Buffer.concat(chunks).byteLength);
  return collector.finish();
}

test('a body equals its chunks', () => {
  const someChunk = fc.oneof(fc.nat(9), fc.nat(9_000)).map((length) => Buffer.alloc(length, `${String(length)},`));
  fc.assert(
    fc.property(fc.array(someChunk), (chunks) => {
      expect(collect(chunks).whole()).toEqual(Buffer.concat(chunks));
    }),
  );
});

test('large chunks are not copied', () => {
  const chunks = [Buffer.alloc(65_536, 'a'), Buffer.alloc(65_536, 'b')];
  expect(collect(chunks).pieces).toEqual(chunks);
  expect(collect(chunks).pieces[0]).toBe(chunks[0]);
});

test('a body that arrives byte by byte is joined into few pieces', () => {
  const bytes = Array.from({ length: 20_000 }, (_, index) => Buffer.from([index % 256]));
  expect(collect(bytes).pieces.length).toBeLessThan(10);
});

const json: Headers = { 'content-type': 'application/json', 'content-length': '2' };

function detailOf(check: () => unknown): string {
  try {
    check();
    return 'none';
  } catch (error) {
    return error instanceof VenueFailure ? error.message : String(error);
  }
}

describe('a JSON response', () => {
  it.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/vnd.venue+json',
    'application/json ;q=1',
  ])('accepts the content type %s', (type) => {
    expect(checkJson(createBody([Buffer.from('[]')]), { ...json, 'content-type': type })).toBe('application/json');
  });

  it.each(['text/json', 'application/jsonp', 'text/html; application/json', 'application/x-ndjson', ''])(
    'rejects the content type "%s"',
    (type) => {
      expect(detailOf(() => checkJson(createBody([Buffer.from('[]')]), { ...json, 'content-type': type }))).toMatch(
        /is not JSON: its content type is/,
      );
    },
  );

  it('rejects every truncation of a response without a length', () => {
    const value = fc.oneof(
      fc.array(fc.jsonValue(), { minLength: 1 }),
      fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
    );
    const unframed = { 'content-type': 'application/json' };
    fc.assert(
      fc.property(value, fc.nat(), (rows, place) => {
        const whole = Buffer.from(JSON.stringify(rows));
        const cut = whole.subarray(0, place % whole.byteLength);
        expect(checkJson(createBody([whole]), unframed)).toBe('application/json');
        expect(detailOf(() => checkJson(createBody([cut]), unframed))).toMatch(/is truncated|is empty/);
      }),
    );
  });

  it.each([
    ['[}', /is truncated/],
    ['{"a":1]', /is truncated/],
    ['["a"', /is truncated/],
    ['"a"', /claims to be JSON/],
    ['\uFEFF[]', /claims to be JSON/],
    ['  ', /claims to be JSON/],
  ])('rejects the body %j', (text, detail) => {
    expect(detailOf(() => checkJson(createBody([Buffer.from(text)]), json))).toMatch(detail);
  });
});

it('the first and last bytes are found however the body is cut into pieces', () => {
  const pieces = (...texts: string[]) => createBody(texts.map((text) => Buffer.from(text)));
  expect(checkJson(pieces('\n', '[', '1', ']', ' \n'), json)).toBe('application/json');
  expect(detailOf(() => checkJson(pieces('[', '1', '\n'), json))).toMatch(/is truncated/);
});
