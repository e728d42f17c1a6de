import { isatty } from 'node:tty';
import type { Log } from '#server/core/ports.ts';

type Close = () => Promise<void>;

type EndingSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

interface Process {
  readonly on: (signal: EndingSignal, listener: () => void) => unknown;
  /** Ends the process after this time, unless it has ended by itself. */
  readonly endWithin: (milliseconds: number) => void;
}

/** Other desks may take a while to receive the browsers of this one. */
const LONGEST_STOP_MS = 45_000;
/** A part may wait for a database or a disk that does not respond, but stopping always ends. */
const LONGEST_CLOSE_MS = 10_000;

/** Closes the open parts on the first signal. The process then ends by itself. */
export interface Closing<Part extends string> {
  readonly opened: (part: Part, close: Close) => void;
  /** Closes what is open now, each part once. It may be called again after more was opened. */
  readonly close: Close;
  readonly isClosing: () => boolean;
}

/**
 * Closes parts in the given order, regardless of the order in which they were opened. Only the closing of `slow` may
 * take long.
 */
export function closeOnSignals<Part extends string>(
  { on, endWithin }: Process,
  signals: readonly EndingSignal[],
  { order, slow }: { readonly order: readonly Part[]; readonly slow: Part },
): Closing<Part> {
  const open = new Map<Part, Close>();
  let isClosing = false;
  let wasSignalled = false;
  const close = async (): Promise<void> => {
    isClosing = true;
    for (const part of order) {
      const closePart = open.get(part);
      open.delete(part);
      await closePart?.();
      if (part === slow && wasSignalled) endWithin(LONGEST_CLOSE_MS);
    }
  };
  // Under npm, Ctrl-C arrives twice.
  const onSignal = (): void => {
    if (isClosing) return;
    wasSignalled = true;
    endWithin(LONGEST_STOP_MS);
    void close();
  };
  for (const signal of signals) on(signal, onSignal);
  return { opened: (part, closePart) => void open.set(part, closePart), close, isClosing: () => isClosing };
}

/**
 * A closing terminal sends SIGHUP, which ends Perpdesk. Without a terminal, the signal means what it means to any
 * service: read the settings again.
 */
const hasTerminal = [0, 1, 2].some((stream) => isatty(stream));

export const endingSignals: readonly EndingSignal[] = [
  'SIGINT',
  'SIGTERM',
  ...(hasTerminal ? (['SIGHUP'] as const) : []),
];

/** During start and shutdown there is nothing to read again, but the signal must not end the process. */
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

interface CrashingProcess {
  readonly on: (event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void) => unknown;
  readonly exit: (code: number) => void;
}

/**
 * Logs a crash and ends the process. Prints only the stack, because Node's own report would include every property of
 * the error and its causes, which may hold secrets.
 */
export function reportCrashes({ on, exit }: CrashingProcess, log: Log): void {
  const report = (error: unknown): void => {
    log('error', 'crashed', { reason: error instanceof Error ? error.stack : 'The thrown value is not an error.' });
    exit(1);
  };
  on('uncaughtException', report);
  on('unhandledRejection', report);
}

interface WarningProcess {
  readonly removeAllListeners: (event: 'warning') => unknown;
  readonly on: (event: 'warning', listener: (warning: Error) => void) => unknown;
}

/** Logs warnings of Node.js, which would print them as text between the lines of the log. */
export function reportWarnings(process: WarningProcess, log: Log): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => {
    // Nobody who runs Perpdesk can do anything about what its Node.js calls experimental.
    log(name === 'ExperimentalWarning' ? 'debug' : 'warn', 'warning of Node.js', { name, reason: message });
  });
}
