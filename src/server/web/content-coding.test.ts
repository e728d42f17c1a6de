import { describe, expect, it } from 'vitest';
import { chooseContentCoding, contentCodings, createCodingChooser } from './content-coding.ts';

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

  it('is the same for a repeated header', () => {
    const choose = createCodingChooser(contentCodings);
    const headers = [
      undefined,
      '',
      'gzip',
      'br',
      'br;q=0.1, gzip',
      `gzip${' '.repeat(300)}`,
      ...Array.from({ length: 300 }, (_, index) => `gzip, x-${String(index)}`),
    ];
    for (let round = 0; round < 2; round++) {
      for (const header of headers) expect(choose(header)).toBe(chooseContentCoding(header, contentCodings));
    }
  });
});
