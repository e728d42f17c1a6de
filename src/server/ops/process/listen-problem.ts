import type { DeskSettings, TcpAddress } from './desk-settings.ts';

/** Why the server cannot listen, and what to change. */
export function listenProblem(error: unknown, settings: DeskSettings): string {
  return 'socket' in settings ? socketProblem(error, settings.socket) : portProblem(error, settings);
}

function portProblem(error: unknown, { host, port }: TcpAddress): string {
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

function socketProblem(error: unknown, socket: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return `The socket ${socket} is in use: stop the program that uses it, or set DESK_SOCKET to another path.`;
    case 'ENOTSOCK':
      return `${socket} exists and is not a socket: move it elsewhere, or set DESK_SOCKET to another path.`;
    case 'EACCES':
      return `This user may not create the socket ${socket}: set DESK_SOCKET to a path in a folder of its own.`;
    case 'EPERM':
      return `This user may not give the socket ${socket} to the group of DESK_SOCKET_GROUP: it must be a member of that group.`;
    case 'ENOENT':
    case 'ENOTDIR':
      return `The folder of the socket ${socket} does not exist: create it, or set DESK_SOCKET to another path.`;
    default:
      return `Cannot listen on the socket ${socket}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
