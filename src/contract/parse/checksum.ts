import { joinFields } from './json-split.ts';

/**
 * By what a reader of the stream finds whether it has all of a topic, whatever was lost on the way: a sum over the rows and the
 * fields beside them. So their order does not matter, and a change costs no more than what it changes.
 */

/** What a text adds to the sum, given its CRC-32 (as in gzip, of its UTF-8). Spread as MurmurHash3 does: two rows that exchange a field do not keep their sum. */
export function toTerm(crc: number): number {
  const once = Math.imul(crc ^ (crc >>> 16), 0x85eb_ca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2_ae35);
  return twice ^ (twice >>> 16);
}

/** What stands for a field in the sum. A row stands for itself, as written. */
export function toFieldText(name: string, text: string): string {
  return joinFields([[name, text]]);
}

export function formatChecksum(sum: number): string {
  return (sum >>> 0).toString(16).padStart(8, '0');
}
