import { describe, expect, it, vi } from 'vitest';
import { createBody } from '#server/core/body.ts';
import {
  chooseContentCoding,
  contentCodings,
  createCompressor,
  entityTagOf,
  matchesEntityTag,
} from './send-response.ts';

describe('the coding of a response', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['BR', 'br'],
    ['*', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br; q=0.5 , gzip;q=0.5', 'br'],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=0.001', 'gzip'],
    ['identity, br;q=0.9', 'identity'],
    ['identity;q=0.5, br', 'br'],
  ] as const)('for "%s" is %s', (header, coding) => {
    expect(chooseContentCoding(header, contentCodings)).toBe(coding);
  });

  it.each([undefined, '', ',', 'deflate', 'br;q=0', '*;q=0', 'identity;q=0', 'br;q=2', 'br;q=banana', 'br;q='])(
    'for %j is identity',
    (header) => {
      expect(chooseContentCoding(header, contentCodings)).toBe('identity');
    },
  );

  it('is one of the available codings', () => {
    expect(chooseContentCoding('br, gzip;q=0.1', ['gzip', 'identity'])).toBe('gzip');
    expect(chooseContentCoding('br, gzip', ['identity'])).toBe('identity');
  });
});

describe('a compressed form', () => {
  const body = createBody([Buffer.from('a text')]);
  /** Space for ten forms. */
  const open = () => {
    const compressed = vi.fn<NonNullable<Parameters<typeof createCompressor>[1]>>(() =>
      Promise.resolve(Buffer.alloc(100)),
    );
    return { compressed, compressOnce: createCompressor(1_000, compressed) };
  };

  it('is made once for each tag and coding, also for requests at the same time', async () => {
    const { compressed, compressOnce } = open();
    await Promise.all([compressOnce(body, '"a"', 'br'), compressOnce(body, '"a"', 'br')]);
    await compressOnce(body, '"a"', 'br');
    expect(compressed).toHaveBeenCalledTimes(1);
    await Promise.all([compressOnce(body, '"a"', 'gzip'), compressOnce(body, '"b"', 'br')]);
    expect(compressed).toHaveBeenCalledTimes(3);
  });

  it('is kept while it is requested, and dropped once others fill the memory', async () => {
    const { compressed, compressOnce } = open();
    for (let count = 0; count < 100; count += 1) {
      await compressOnce(body, '"kept"', 'br');
      await compressOnce(body, `"${String(count)}"`, 'br');
    }
    expect(compressed).toHaveBeenCalledTimes(101);
    await compressOnce(body, '"0"', 'br');
    expect(compressed).toHaveBeenCalledTimes(102);
  });

  it('that could not be made is made again', async () => {
    const { compressed, compressOnce } = open();
    compressed.mockRejectedValueOnce(new Error('out of memory'));
    await expect(compressOnce(body, '"a"', 'br')).rejects.toThrow('out of memory');
    expect((await compressOnce(body, '"a"', 'br')).byteLength).toBe(100);
    await compressOnce(body, '"a"', 'br');
    expect(compressed).toHaveBeenCalledTimes(2);
  });
});

describe('an entity tag', () => {
  it('is equal for equal bytes and different for others', () => {
    expect(entityTagOf(Buffer.from('a'))).toBe(entityTagOf(Buffer.from('a')));
    expect(entityTagOf(Buffer.from('a'))).not.toBe(entityTagOf(Buffer.from('b')));
  });

  it('is a quoted string without characters that need escaping', () => {
    expect(entityTagOf(Buffer.from('a'))).toMatch(/^"[\w-]{22}"$/);
  });
});

describe('a client has the response', () => {
  it.each(['"a"', 'W/"a"', '"b", "a"', ' "b" ,W/"a" ', '*', ' * '])('when If-None-Match is %j', (header) => {
    expect(matchesEntityTag(header, '"a"')).toBe(true);
  });

  it.each([undefined, '', '"b"', 'a', '"A"', '"ab"', '"b", "c"'])('not when it is %j', (header) => {
    expect(matchesEntityTag(header, '"a"')).toBe(false);
  });
});
