/** A time is epoch milliseconds modulo this: few digits, and longer than a measurement. */
export const CLOCK_MS = 100_000_000;
