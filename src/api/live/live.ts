import type { StreamState } from './protocol.ts';

/** What is pushed to this page is not polled. */
export interface Pushed {
  /** When a topic was last pushed, in epoch milliseconds; 0: it is not pushed now. */
  readonly pushedAt: (address: string) => number;
}

/** `lossy`: the stream is open, but some of what is pushed does not arrive, so that the page polls it. */
export type LiveState = StreamState | 'lossy';

/** What is pushed to this page, and whether anything is. */
export interface Live extends Pushed {
  readonly state: () => LiveState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly setState: (state: StreamState) => void;
  readonly setPushedAt: (address: string, at: number) => void;
  /** A topic is not pushed for some time, since its changes did not arrive whole. */
  readonly setLost: (address: string) => void;
}

export function createLive(): Live {
  const listeners = new Set<() => void>();
  const pushed = new Map<string, number>();
  const lost = new Set<string>();
  let state: StreamState = 'closed';
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    pushedAt: (address) => pushed.get(address) ?? 0,
    state: () => (lost.size > 0 && state !== 'refused' ? 'lossy' : state),
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
      if (lost.delete(address)) notify();
    },
    setLost: (address) => {
      pushed.delete(address);
      lost.add(address);
      notify();
    },
  };
}
