import type { Log } from './log.ts';

interface Process {
  readonly on: (event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void) => unknown;
  readonly exit: (code: number) => void;
}

/**
 * A crash is logged like anything else, and ends the process. Node's own report prints every property of what was
 * thrown, causes and all, whatever they hold; here it is the stack and nothing else.
 */
export function reportCrashes({ on, exit }: Process, log: Log): void {
  const report = (error: unknown): void => {
    log('error', 'crashed', { reason: error instanceof Error ? error.stack : 'What was thrown is no error.' });
    exit(1);
  };
  on('uncaughtException', report);
  on('unhandledRejection', report);
}
