const NANOS_PER_MICRO = 1000n;
/** The offset of ids. It puts those of 2026 near 7.67e18, as on the real exchange. */
const FIRST_ID = 5_880_000_000_000_000_000n;

export interface OrderIds {
  readonly id: bigint;
  readonly openAckId: bigint;
}

/**
 * Creates ids that grow in order of acceptance. They derive from the clock, so that the last one need not be stored for
 * a restart. Orders of the same nanosecond get consecutive ids.
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
