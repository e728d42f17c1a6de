/**
 * Orders codes, which are plain capitals, digits and dashes: as a reader would, without the browser's rules of language. To
 * get those ready takes a phone longer than a frame.
 */
export function compareCodes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
