/**
 * Sorts codes, which consist of capitals, digits and dashes. The browser's collation gives the same order, but a phone
 * needs longer than a frame to load it.
 */
export function compareCodes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
