import { relative, resolve } from 'node:path';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/** Copies of the databases that a running Perpdesk has open. */
export interface DatabaseCopies {
  /** The version that made them. */
  readonly version: string;
  /** Their folder, inside the data folder. The caller deletes it. */
  readonly folder: string;
  /** The file names. */
  readonly names: readonly string[];
}

/** The commands that a running Perpdesk performs for the owner of its data folder, by name. */
export interface ControlCommands {
  readonly 'copy-databases': () => Promise<DatabaseCopies>;
  /** A command about people, as its arguments, and who runs it. */
  readonly 'manage-people': (input: {
    readonly args: readonly string[];
    readonly by: string;
  }) => Promise<UserCommandResult>;
  /** What precedes the path in a link to the running Perpdesk; empty if it does not know its address. */
  readonly 'address': () => Promise<string>;
  /** The beginning and end of the audit log. */
  readonly 'audit-ends': () => Promise<{ readonly anchor: AuditLink; readonly head: AuditLink }>;
  /** The audit entries after a number. */
  readonly 'audit-after': (input: { readonly number: number; readonly limit: number }) => Promise<readonly AuditRow[]>;
}

/** The lines to print, or a mistake in the arguments. */
export type UserCommandResult = { readonly lines: readonly string[] } | { readonly mistake: string };

interface AuditLink {
  readonly number: number;
  readonly hash: string;
}

interface AuditRow extends AuditLink {
  readonly who: string;
  readonly kind: string;
  readonly body: string;
}

type ControlCommand = keyof ControlCommands;

const SOCKET_NAME = 'control.sock';
/** The system's limit without the terminating byte. macOS has the shorter limit. */
const MAX_BYTES = 103;

/** Returns the path of the control socket in a data folder; null if it is longer than the system allows. */
export function controlSocketOf(dataDir: string): string | null {
  const path = resolve(dataDir, SOCKET_NAME);
  return [path, relative(process.cwd(), path)].find((form) => Buffer.byteLength(form) <= MAX_BYTES) ?? null;
}

/** The errors if no process listens on the socket. */
const NOBODY: readonly unknown[] = ['ENOENT', 'ECONNREFUSED', 'ENOTDIR'];

type InputOf<Name extends ControlCommand> = Parameters<ControlCommands[Name]>;

/**
 * Sends a command to the Perpdesk that runs on a data folder. Undefined if none runs; throws its sentence if it failed.
 */
export async function callControl<Name extends ControlCommand>(
  dataDir: string,
  name: Name,
  ...[input]: InputOf<Name>
): Promise<Awaited<ReturnType<ControlCommands[Name]>> | undefined> {
  const socketPath = controlSocketOf(dataDir);
  if (socketPath === null) return undefined;
  const response = await send(socketPath, 'POST', `/${name}`, input === undefined ? '' : JSON.stringify(input));
  if (response === undefined) return undefined;
  if (response.status !== 200) throw new Error(response.body.trim());
  return JSON.parse(response.body) as Awaited<ReturnType<ControlCommands[Name]>>;
}

/** Returns whether a Perpdesk runs on a data folder. */
export async function isRunning(dataDir: string): Promise<boolean> {
  const socketPath = controlSocketOf(dataDir);
  return socketPath !== null && (await send(socketPath, 'GET', '/')) !== undefined;
}

interface Response {
  readonly status: number;
  readonly body: string;
}

/** Resolves to undefined if no process listens. */
function send(socketPath: string, method: string, path: string, body = ''): Promise<Response | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, method, path, headers: { connection: 'close' } }, (response) => {
      text(response).then((body) => {
        resolve({ status: response.statusCode ?? 0, body });
      }, reject);
    });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      if (NOBODY.includes(error.code)) resolve(undefined);
      else reject(new Error(describe(error, socketPath), { cause: error }));
    });
    sent.end(body);
  });
}

function describe({ code, message }: NodeJS.ErrnoException, socketPath: string): string {
  if (code === 'EACCES' || code === 'EPERM')
    return `Only the user that Perpdesk runs as can do this: this user has no access to ${socketPath}.`;
  if (code === 'ECONNRESET') return 'Perpdesk stopped while the command was running. Run it again.';
  return `Perpdesk is running, but does not respond at ${socketPath}: ${message}`;
}
