import type { DeskSettings } from './desk-settings.ts';

/** Why the server cannot listen, and what to change. */
export function listenProblem(error: unknown, { host, port }: DeskSettings): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use: stop the program that uses it, or set DESK_PORT to another port (0 takes any free one).`;
    case 'EACCES':
      return `This user may not listen on port ${port}: set DESK_PORT to 1024 or higher.`;
    case 'EADDRNOTAVAIL':
      return `This machine has no address ${host}: set DESK_HOST to one of its own.`;
    default:
      return `Cannot listen on port ${port} of ${host}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
