import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendCrc, crcOf, NO_BYTES } from './crc.ts';

test('the checksum of parts, whichever they are, is that of the whole', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), (parts) => {
      const whole = crcOf(Buffer.concat(parts));
      expect(parts.map(crcOf).reduce(appendCrc, NO_BYTES)).toEqual(whole);
      expect(whole.value).toBe(crc32(Buffer.concat(parts)));
    }),
  );
  const large = Buffer.alloc(3_000_000, 'order');
  expect(appendCrc(crcOf(large), crcOf(large)).value).toBe(crc32(Buffer.concat([large, large])));
});
