import { toNumber, type OpaqueNumber } from '#contract/brand.ts';
import { wireText } from '#contract/json-text.ts';

/** A field of a row as text, with all the digits that came: what is shown, written to files and reckoned with. */
export const asWritten = wireText;

/** An amount as a chart places it, to the pixel: never shown, never reckoned with. */
export function asDrawn(amount: OpaqueNumber<string>): number {
  return toNumber(amount);
}

/** An id as the number that products are looked up by. */
export function asKey(id: OpaqueNumber<string>): number {
  return toNumber(id);
}
