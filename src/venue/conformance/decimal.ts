const DIGITS = 18;

/** A decimal text as an exact multiple of 1e-18. */
export function toScaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const magnitude = BigInt(whole + fraction.padEnd(DIGITS, '0').slice(0, DIGITS));
  return text.startsWith('-') ? -magnitude : magnitude;
}

/** Of an even count, the larger of the two middle values; null of none. */
export function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
}
