import { isLoopback } from '../loopback.ts';
import { readVariable, type Environment } from './environment.ts';

/** Where the desk listens: on a port of this machine, or on a Unix socket that only its owner may open. */
export type DeskSettings = TcpAddress | { readonly socket: string };

export interface TcpAddress {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

export type SettingsResult =
  | { readonly settings: DeskSettings; readonly problems: null }
  | { readonly settings: null; readonly problems: readonly string[] };

/** The settings, or every mistake in them, each a sentence that begins with its variable. */
export function readDeskSettings(environment: Environment): SettingsResult {
  const socket = readVariable(environment, 'DESK_SOCKET');
  if (socket !== null) return readSocket(environment, socket);
  const host = readVariable(environment, 'DESK_HOST') ?? '127.0.0.1';
  const port = readVariable(environment, 'DESK_PORT') ?? '8080';
  const problems = [hostProblem(host), portProblem(port)].filter((problem) => problem !== undefined);
  return problems.length > 0
    ? { settings: null, problems }
    : { settings: { host, port: Number(port) }, problems: null };
}

/** The system's limit, less the byte that ends the text; macOS has the shorter one. */
const MAX_SOCKET_BYTES = 103;

function readSocket(environment: Environment, socket: string): SettingsResult {
  const others = (['DESK_HOST', 'DESK_PORT'] as const).filter((name) => readVariable(environment, name) !== null);
  const problems = others.map((name) => `DESK_SOCKET and ${name} are both set: use only one of them.`);
  if (Buffer.byteLength(socket) > MAX_SOCKET_BYTES) problems.push(`DESK_SOCKET must be a path of at most ${MAX_SOCKET_BYTES} bytes: the system allows no more.`);
  return problems.length > 0 ? { settings: null, problems } : { settings: { socket }, problems: null };
}

function hostProblem(host: string): string | undefined {
  if (isLoopback(host)) return undefined;
  return `DESK_HOST is "${host}", but Perpdesk has no access control yet, so only this machine may connect: use 127.0.0.1, ::1 or localhost.`;
}

function portProblem(port: string): string | undefined {
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return undefined;
  return `DESK_PORT is "${port}", but must be a whole number from 0 to 65535 (0 takes any free port).`;
}
