import { expect, test } from 'vitest';
import { toMessage, toSmallMessage } from './messages.ts';

test('a frame keeps no more memory than its own bytes', async () => {
  for (const { plain, packed } of [await toMessage('event: delta\n\n'), toSmallMessage(':\n\n')]) {
    expect([plain.buffer.byteLength, packed.buffer.byteLength]).toEqual([plain.byteLength, packed.byteLength]);
  }
});
