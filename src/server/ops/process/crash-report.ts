import type { Log } from '#server/core/ports.ts';

interface Process {
  readonly on: (event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void) => unknown;
  readonly exit: (code: number) => void;
}

/**
 * Logs a crash and ends the process. Node's own report would print every property of the error and of its causes, which
 * may hold secrets; this prints the stack only.
 */
export function reportCrashes({ on, exit }: Process, log: Log): void {
  const report = (error: unknown): void => {
    log('error', 'crashed', { reason: error instanceof Error ? error.stack : 'The thrown value is not an error.' });
    exit(1);
  };
  on('uncaughtException', report);
  on('unhandledRejection', report);
}
