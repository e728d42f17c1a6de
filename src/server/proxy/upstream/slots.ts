import type { EndpointName } from '#contract/exchange/endpoints.ts';
import { isMoreUrgent, type Purpose } from '#server/core/ports.ts';

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

/** The slots that one endpoint holds. */
interface Share {
  held: number;
}

interface Waiting {
  readonly purpose: Purpose;
  readonly share: Share;
  readonly grant: () => void;
}

export function createSlots({ total, perEndpoint }: SlotLimits): Slots {
  const shares = new Map<EndpointName, Share>();
  // In the order of arrival. A Set that shrinks and grows for ever would keep them from the garbage collector.
  const waiting: Waiting[] = [];
  let free = total;

  const shareOf = (endpoint: EndpointName): Share => {
    const share = shares.get(endpoint) ?? { held: 0 };
    shares.set(endpoint, share);
    return share;
  };
  const change = (share: Share, by: 1 | -1): void => {
    free -= by;
    share.held += by;
  };
  const leave = (entry: Waiting): void => {
    waiting.splice(waiting.indexOf(entry), 1);
  };
  const findNext = (): Waiting | undefined => {
    let best: Waiting | undefined;
    if (free === 0) return best;
    for (const each of waiting) {
      if (each.share.held < perEndpoint && (best === undefined || goesBefore(each, best))) best = each;
    }
    return best;
  };
  const serve = (): void => {
    for (let next = findNext(); next !== undefined; next = findNext()) {
      leave(next);
      change(next.share, 1);
      next.grant();
    }
  };

  return {
    take: async ({ endpoint, purpose }, signal) => {
      signal.throwIfAborted();
      const share = shareOf(endpoint);
      await new Promise<void>((resolve, reject) => {
        const onAbort = (): void => {
          leave(entry);
          reject(signal.reason as Error);
        };
        const grant = (): void => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        const entry = { purpose, share, grant };
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.push(entry);
        serve();
      });
      return () => {
        change(share, -1);
        serve();
      };
    },
  };
}

/** The most urgent goes first; of equally urgent ones, whose endpoint holds the fewest; then the first to arrive. */
function goesBefore(one: Waiting, other: Waiting): boolean {
  return one.purpose === other.purpose ? one.share.held < other.share.held : isMoreUrgent(one.purpose, other.purpose);
}
