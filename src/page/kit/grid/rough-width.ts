/** In the data font; letters as wide as capitals, which symbols consist of. */
const DIGIT_PX = 7.8;
const LETTER_PX = 8.5;
const NARROW_PX = 3.3;

const WIDTHS = new Float64Array(128).fill(LETTER_PX);
for (const [characters, px] of [
  ['0123456789-+/', DIGIT_PX],
  [' .,:', NARROW_PX],
] as const) {
  for (const character of characters) WIDTHS[character.charCodeAt(0)] = px;
}

/** Estimated width of a text in the data font; measuring it would force a layout. */
export function roughWidth(text: string): number {
  let px = 0;
  for (let at = 0; at < text.length; at++) px += WIDTHS[text.charCodeAt(at)] ?? DIGIT_PX;
  return px;
}
