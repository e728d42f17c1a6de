import { describe, expect, it } from 'vitest';
import { entityTagOf, isHeldByClient } from './entity-tag.ts';

describe('an entity tag', () => {
  it('is the same for the same bytes and another for others', () => {
    expect(entityTagOf(Buffer.from('a'))).toBe(entityTagOf(Buffer.from('a')));
    expect(entityTagOf(Buffer.from('a'))).not.toBe(entityTagOf(Buffer.from('b')));
  });

  it('is a quoted string without anything that a header would have to escape', () => {
    expect(entityTagOf(Buffer.from('a'))).toMatch(/^"[\w-]{22}"$/);
  });
});

describe('a client holds what would be sent', () => {
  it.each(['"a"', 'W/"a"', '"b", "a"', ' "b" ,W/"a" ', '*', ' * '])('when If-None-Match is %j', (header) => {
    expect(isHeldByClient(header, '"a"')).toBe(true);
  });

  it.each([undefined, '', '"b"', 'a', '"A"', '"ab"', '"b", "c"'])('not when it is %j', (header) => {
    expect(isHeldByClient(header, '"a"')).toBe(false);
  });
});
