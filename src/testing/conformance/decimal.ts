const DIGITS = 18;

/** Exact: a decimal text as a whole number of 1e-18. */
export function toScaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const magnitude = BigInt(whole + fraction.padEnd(DIGITS, '0').slice(0, DIGITS));
  return text.startsWith('-') ? -magnitude : magnitude;
}

/** Of an even number the larger of the two in the middle; null of nothing. */
export function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
}
