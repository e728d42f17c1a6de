/** Tokens have 64 hexadecimal digits; what is nearly one may be one that was cut while it was copied. */
const LIKE_A_TOKEN = /[0-9a-f]{32,}/gi;

/** A sentence fit to be printed, whichever variable the token was put into by mistake. */
export function withoutTokens(sentence: string): string {
  return sentence.replace(LIKE_A_TOKEN, '(what looks like a token)');
}
