import { isLoopback } from '#server/core/network.ts';
import type { ReachSettings } from './reach-settings.ts';
import type { SettingsFiles, Source } from './source.ts';

/** Where the server listens: on a port, or on a Unix socket that only its owner and perhaps a group may open. */
export type DeskSettings = TcpAddress | { readonly socket: string; readonly groupId: number | null };

interface TcpAddress {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/** Returns null after a mistake. */
export function readDeskSettings(source: Source, reach: ReachSettings): DeskSettings | null {
  const { value, problem } = source;
  const socket = value('DESK_SOCKET');
  if (socket !== null) return readSocket(source, socket, reach);
  if (value('DESK_SOCKET_GROUP') !== null)
    problem('DESK_SOCKET_GROUP is set without DESK_SOCKET: a port has no group.');
  const host = readHost(source, reach);
  const port = readPort(source);
  return host === null || port === null ? null : { host, port };
}

/** The system's limit without the terminating byte. macOS has the shorter limit. */
const MAX_SOCKET_BYTES = 103;

function readSocket(source: Source, socket: string, { tls }: ReachSettings): DeskSettings | null {
  const { value, problem } = source;
  const others = (['DESK_HOST', 'DESK_PORT'] as const).filter((name) => value(name) !== null);
  for (const name of others) problem(`DESK_SOCKET and ${name} are both set: use only one of them.`);
  if (tls !== null)
    problem(
      'DESK_SOCKET and DESK_TLS_CERT are both set: a Unix socket needs no TLS, because the proxy in ' +
        'front of it provides TLS.',
    );
  const groupId = readGroup(source);
  if (Buffer.byteLength(socket) > MAX_SOCKET_BYTES)
    return problem(
      `DESK_SOCKET must be a path of at most ${String(MAX_SOCKET_BYTES)} bytes: the system allows no more.`,
    );
  return others.length > 0 || tls !== null || groupId === undefined ? null : { socket, groupId };
}

/** Returns undefined after a mistake. */
function readGroup({ value, files, problem }: Source): number | null | undefined {
  const group = value('DESK_SOCKET_GROUP');
  if (group === null) return null;
  if (/^\d{1,10}$/.test(group)) return Number(group);
  const found = linesOf('/etc/group', files).find((line) => line[0] === group)?.[2];
  if (found !== undefined) return Number(found);
  problem(
    `DESK_SOCKET_GROUP is "${group}", which /etc/group does not contain: use the name of a group of this ` +
      'machine, or its number.',
  );
  return undefined;
}

function linesOf(path: string, files: SettingsFiles): readonly (readonly string[])[] {
  try {
    return files
      .read(path)
      .split('\n')
      .map((line) => line.split(':'));
  } catch {
    return [];
  }
}

function readHost({ value, problem }: Source, reach: ReachSettings): string | null {
  const host = value('DESK_HOST') ?? '127.0.0.1';
  if (isLoopback(host)) return host;
  const lacks = lacksOf(reach);
  return lacks === null
    ? host
    : problem(
        `DESK_HOST is "${host}", which other machines can reach, ${lacks} For this machine only, use ` +
          '127.0.0.1, ::1 or localhost.',
      );
}

/** Returns what is missing before other machines may connect; null if nothing is. */
function lacksOf({ access, publicUrl, tls, trustedProxies }: ReachSettings): string | null {
  if (access === 'local') return 'but people would not have to sign in: set DESK_ACCESS to users, oidc or proxy.';
  if (publicUrl === null) return 'but under no name: set DESK_PUBLIC_URL to the address at which people open Perpdesk.';
  if (tls === null && trustedProxies.length === 0)
    return (
      'but without encryption: set DESK_TLS_CERT and DESK_TLS_KEY, or DESK_TRUSTED_PROXY to the ' +
      'address of the proxy that encrypts.'
    );
  return null;
}

function readPort({ value, problem }: Source): number | null {
  const port = value('DESK_PORT') ?? '8080';
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return Number(port);
  return problem(`DESK_PORT is "${port}", but must be a whole number from 0 to 65535 (0 takes any free port).`);
}

/** Returns why the server cannot listen, and what to change. */
export function listenProblem(error: unknown, settings: DeskSettings): string {
  return 'socket' in settings ? socketProblem(error, settings.socket) : portProblem(error, settings);
}

function portProblem(error: unknown, { host, port }: TcpAddress): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return (
        `Port ${port} of ${host} is in use: stop the program that uses it, or set DESK_PORT to ` +
        'another port (0 takes any free one).'
      );
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
      return (
        `This user may not give the socket ${socket} to the group of DESK_SOCKET_GROUP: it must be ` +
        'a member of that group.'
      );
    case 'EINVAL':
      return (
        `The socket ${socket} cannot be given to the group of DESK_SOCKET_GROUP, which does not exist for this ` +
        'process: in a systemd unit, set PrivateUsers=no; in a container, map the group.'
      );
    case 'ENOENT':
    case 'ENOTDIR':
      return `The folder of the socket ${socket} does not exist: create it, or set DESK_SOCKET to another path.`;
    default:
      return `Cannot listen on the socket ${socket}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
