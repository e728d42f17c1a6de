/** A time is the rest of epoch milliseconds by this: few digits, and longer than a measurement. */
export const CLOCK_MS = 100_000_000;
