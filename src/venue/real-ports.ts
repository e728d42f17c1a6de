import { randomBytes } from 'node:crypto';
import type { VenuePorts } from './create-venue.ts';
import { StoreFailure } from '#sql/store-failure.ts';

/** The clock, timers and random numbers of this machine, for entry files only. */
export const realPorts: VenuePorts = {
  wall: Date.now,
  elapsed: performance.now.bind(performance),
  setTimer: (call, milliseconds) => {
    const timer = setTimeout(call, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
  pause: () => new Promise((resolve) => setImmediate(resolve)),
  randomHex: (bytes) => randomBytes(bytes).toString('hex'),
  report: (fault) => {
    console.error('venue:', toReport(fault));
  },
};

/**
 * Returns what to print. A failure of the store is a sentence that says what to do; anything else is a bug and needs
 * its stack.
 */
function toReport(fault: unknown): unknown {
  if (fault instanceof StoreFailure) return fault.message;
  const cause = fault instanceof Error ? fault.cause : undefined;
  return fault instanceof Error && cause instanceof StoreFailure ? `${fault.message} ${cause.message}` : fault;
}
