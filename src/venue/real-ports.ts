import { randomBytes } from 'node:crypto';
import type { VenuePorts } from './create-venue.ts';

/** This machine's clock, timers and chance: for entry files only. */
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
    console.error('venue:', fault);
  },
};
