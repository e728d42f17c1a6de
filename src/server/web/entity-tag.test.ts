import { describe, expect, it } from 'vitest';
import { entityTagOf, matchesEntityTag } from './entity-tag.ts';

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
