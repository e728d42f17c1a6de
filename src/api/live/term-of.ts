import { toTerm } from '#contract/checksum.ts';

const POLYNOMIAL = 0xedb8_8320;
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) * POLYNOMIAL);
  return crc;
});
const encoder = new TextEncoder();

/** What a row or a field adds to the checksum of its topic. Browsers offer no CRC-32. */
export function termOf(text: string): number {
  let crc = -1;
  for (const byte of encoder.encode(text)) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0);
  return toTerm(~crc >>> 0);
}
