import type { DeskSettings } from './desk-settings.ts';

/** A sentence about why the desk cannot listen, which says what to change. */
export function listenProblem(error: unknown, { host, port }: DeskSettings): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is taken: stop the program that has it, or set DESK_PORT to another port (0 takes any free one).`;
    case 'EACCES':
      return `This user may not listen on port ${port}: set DESK_PORT to one from 1024 on.`;
    case 'EADDRNOTAVAIL':
      return `This machine has no address ${host}: set DESK_HOST to another of its own.`;
    default:
      return `Cannot listen on port ${port} of ${host}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
