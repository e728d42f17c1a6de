import type { EndpointName } from '#contract/endpoints.ts';
import { isMoreUrgent, type Purpose } from '../ports.ts';

/** Who needs a slot. */
export interface Claim {
  readonly endpoint: EndpointName;
  readonly purpose: Purpose;
}

/** A limited number of slots. One endpoint may hold only a part of them, so that one that hangs leaves some to the others. */
export interface Slots {
  /** Resolves with a function that frees the slot; rejects with the signal's reason if that is aborted first. */
  readonly take: (claim: Claim, signal: AbortSignal) => Promise<() => void>;
}

export interface SlotLimits {
  readonly total: number;
  readonly perEndpoint: number;
}

interface Waiting extends Claim {
  readonly grant: () => void;
}

export function createSlots({ total, perEndpoint }: SlotLimits): Slots {
  const held = new Map<EndpointName, number>();
  const waiting = new Set<Waiting>();
  let free = total;

  const heldBy = ({ endpoint }: Claim): number => held.get(endpoint) ?? 0;
  const change = (claim: Claim, by: 1 | -1): void => {
    free -= by;
    held.set(claim.endpoint, heldBy(claim) + by);
  };
  /** The most urgent goes first; of equally urgent ones, whose endpoint holds the fewest; then the first to arrive. */
  const goesBefore = (one: Claim, other: Claim): boolean =>
    one.purpose === other.purpose ? heldBy(one) < heldBy(other) : isMoreUrgent(one.purpose, other.purpose);
  const findNext = (): Waiting | undefined => {
    const able = free > 0 ? [...waiting].filter((each) => heldBy(each) < perEndpoint) : [];
    return able.reduce<Waiting | undefined>((best, each) => (best === undefined || goesBefore(each, best) ? each : best), undefined);
  };
  const serve = (): void => {
    for (let next = findNext(); next !== undefined; next = findNext()) {
      waiting.delete(next);
      change(next, 1);
      next.grant();
    }
  };

  return {
    take: async (claim, signal) => {
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const onAbort = (): void => {
          waiting.delete(entry);
          reject(signal.reason as Error);
        };
        const grant = (): void => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        const entry = { ...claim, grant };
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.add(entry);
        serve();
      });
      return () => {
        change(claim, -1);
        serve();
      };
    },
  };
}
