const NANOS_PER_MICRO = 1000n;
/** Puts the ids of 2026 near 7.67e18. */
const FIRST_ID = 5_880_000_000_000_000_000n;

export interface OrderIds {
  readonly id: bigint;
  readonly openAckId: bigint;
}

/**
 * Ids that grow with acceptance. They come from the clock, so that an exchange that starts again need not remember the
 * last one; orders of one nanosecond get the following ones.
 */
export function createOrderIds(): (timeNs: bigint) => OrderIds {
  let last = 0n;
  return (timeNs) => {
    const byClock = FIRST_ID + timeNs;
    const id = byClock > last ? byClock : last + 1n;
    last = id + 1n;
    return { id, openAckId: last };
  };
}

export function toNanos(micros: number): bigint {
  return BigInt(micros) * NANOS_PER_MICRO;
}
