/**
 * Whether a text that other people will read has characters that cannot be seen, or that turn the order of those around
 * them, or has nothing to see: one name could pass for another. Emoji are made of such characters, too.
 */
export function hasUnseen(text: string): boolean {
  const plain = text.replaceAll(/\p{RGI_Emoji}/gv, '!');
  // U+2800 is a sign without ink.
  return /[\p{C}\p{Zl}\p{Zp}\p{DI}\u2800]/u.test(plain) || (text !== '' && !/[\p{L}\p{N}\p{P}\p{S}]/u.test(plain));
}

/** What a text must not have, in the sentence that refuses it. */
export const NO_UNSEEN = 'must not contain control characters, or others that cannot be seen';
