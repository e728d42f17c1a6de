import type { StreamState } from './protocol.ts';

/** Whether a topic is pushed to this page now: then nothing polls it. */
export interface Pushed {
  readonly isPushed: (address: string) => boolean;
}

/** What is pushed to this page, and whether anything is. */
export interface Live extends Pushed {
  readonly state: () => StreamState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly setState: (state: StreamState) => void;
  readonly setPushed: (address: string, isPushed: boolean) => void;
}

export function createLive(): Live {
  const listeners = new Set<() => void>();
  const pushed = new Set<string>();
  let state: StreamState = 'closed';
  return {
    isPushed: (address) => pushed.has(address),
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
    setPushed: (address, isPushed) => {
      if (isPushed) pushed.add(address);
      else pushed.delete(address);
    },
  };
}
