/**
 * Sorts codes, which are plain capitals, digits and dashes. The browser's collation gives the same order, but takes a phone
 * longer than a frame to load.
 */
export function compareCodes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
