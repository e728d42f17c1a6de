import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable } from './printable.ts';

describe('what the venue wrote', () => {
  it('is shown short and plain, whatever it is', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 1_000 }), (text) => { expect(printable(text)).toMatch(/^[\x20-\x7e]{0,200}$/); }));
  });
});
