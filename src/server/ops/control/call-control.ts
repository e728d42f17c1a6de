import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { controlSocketOf } from './control-socket.ts';
import type { ControlCommand, ControlCommands } from './control-commands.ts';

/** No process listens there, or none ever did. */
const NOBODY: readonly unknown[] = ['ENOENT', 'ECONNREFUSED', 'ENOTDIR'];

type InputOf<Name extends ControlCommand> = Parameters<ControlCommands[Name]>;

/** What the Perpdesk that runs on a data folder returns; undefined if none does. Throws its sentence if it failed. */
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

/** Whether a Perpdesk runs on a data folder. */
export async function isRunning(dataDir: string): Promise<boolean> {
  const socketPath = controlSocketOf(dataDir);
  return socketPath !== null && (await send(socketPath, 'GET', '/')) !== undefined;
}

interface Response {
  readonly status: number;
  readonly body: string;
}

/** Undefined if nobody listens. */
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
