import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPrintable } from './printable.ts';

describe('untrusted text', () => {
  it('becomes short and plain, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 1_000 }), (text) => {
        expect(toPrintable(text)).toMatch(/^[\x20-\x7e]{0,200}$/);
      }),
    );
  });
});
