import { toTerm } from '#contract/parse/checksum.ts';

const POLYNOMIAL = 0xedb8_8320;
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) * POLYNOMIAL);
  return crc;
});
const encoder = new TextEncoder();
/** Most texts fit, and need no memory of their own. */
const shared = new Uint8Array(4_096);
const MOST_BYTES_OF_A_UNIT = 3;

/** What a row or a field adds to the checksum of its topic. Browsers offer no CRC-32. */
export function termOf(text: string): number {
  const bytes = text.length * MOST_BYTES_OF_A_UNIT > shared.length ? encoder.encode(text) : shared;
  const length = bytes === shared ? encoder.encodeInto(text, shared).written : bytes.length;
  let crc = -1;
  for (let index = 0; index < length; index++) crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[index] ?? 0)) & 0xff] ?? 0);
  return toTerm(~crc >>> 0);
}
