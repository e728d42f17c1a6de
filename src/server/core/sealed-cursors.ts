import { createSealedTexts, type SealedTexts } from './sealed-texts.ts';

/** Cursors of which nobody learns what they contain, and which are of use to nobody else. Equal positions give equal cursors. */
export type SealedCursors = SealedTexts;

export function createSealedCursors(secret: string): SealedCursors {
  return createSealedTexts(secret, 'cursor');
}
