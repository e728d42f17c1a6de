import type { StreamState } from './protocol.ts';

/** What is pushed to this page is not polled. */
export interface Pushed {
  /** When a topic was last pushed, in epoch milliseconds; 0: it is not pushed now; `LOST`: since its changes did not arrive whole. */
  readonly pushedAt: (address: string) => number;
}

export const LOST = -1;

/** `lossy`: of what is followed, some is not pushed, since it did not arrive whole. */
export type LiveState = StreamState | 'lossy';

/** What is pushed to this page, and whether anything is. */
export interface Live extends Pushed {
  readonly state: () => LiveState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly setState: (state: StreamState) => void;
  readonly setPushedAt: (address: string, at: number) => void;
}

export function createLive(): Live {
  const listeners = new Set<() => void>();
  const pushed = new Map<string, number>();
  let state: StreamState = 'closed';
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    pushedAt: (address) => pushed.get(address) ?? 0,
    state: () => ([...pushed.values()].includes(LOST) ? 'lossy' : state),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setState: (next) => {
      state = next;
      if (state !== 'open') pushed.clear();
      notify();
    },
    setPushedAt: (address, at) => {
      pushed.set(address, at);
      notify();
    },
  };
}
