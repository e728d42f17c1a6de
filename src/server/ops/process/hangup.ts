import { isatty } from 'node:tty';
import type { EndingSignal } from './closing.ts';

/**
 * A terminal that is closed sends SIGHUP, and Perpdesk ends with it. Without a terminal, the signal means what it means
 * for any service: read the settings again.
 */
const hasTerminal = [0, 1, 2].some((stream) => isatty(stream));

export const endingSignals: readonly EndingSignal[] = [
  'SIGINT',
  'SIGTERM',
  ...(hasTerminal ? (['SIGHUP'] as const) : []),
];

/** While Perpdesk starts or stops, there is nothing to read again, but the signal must not end it. */
export function createHangup({ on }: { readonly on: (signal: 'SIGHUP', listener: () => void) => unknown }): {
  readonly reread: (reread: () => void, stopWatching: () => Promise<void>) => () => Promise<void>;
} {
  let call = (): void => undefined;
  if (!hasTerminal) {
    on('SIGHUP', () => {
      call();
    });
  }
  return {
    reread: (reread, stopWatching) => {
      call = reread;
      return () => {
        call = () => undefined;
        return stopWatching();
      };
    },
  };
}
