import type { StreamState } from './protocol.ts';

/** What is pushed to this page is not polled. */
export interface Pushed {
  /** When a topic was last pushed, in epoch milliseconds; 0: it is not pushed now. */
  readonly pushedAt: (address: string) => number;
}

/** What is pushed to this page, and whether anything is. */
export interface Live extends Pushed {
  readonly state: () => StreamState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly setState: (state: StreamState) => void;
  readonly setPushedAt: (address: string, at: number) => void;
}

export function createLive(): Live {
  const listeners = new Set<() => void>();
  const pushed = new Map<string, number>();
  let state: StreamState = 'closed';
  return {
    pushedAt: (address) => pushed.get(address) ?? 0,
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setState: (next) => {
      state = next;
      if (state !== 'open') pushed.clear();
      for (const listener of listeners) listener();
    },
    setPushedAt: (address, at) => void pushed.set(address, at),
  };
}
