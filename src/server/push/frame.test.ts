import { expect, test } from 'vitest';
import { toFrame, toSmallFrame } from './frame.ts';

test('a frame keeps no more memory than its own bytes', async () => {
  for (const { plain, packed } of [await toFrame('event: delta\n\n'), toSmallFrame(':\n\n')]) {
    expect([plain.buffer.byteLength, packed.buffer.byteLength]).toEqual([plain.byteLength, packed.byteLength]);
  }
});
