import { chmodSync, chownSync, lstatSync, unlinkSync } from 'node:fs';
import { connect, type Server } from 'node:net';

/** A port of this machine, or the path of a Unix socket, which the members of a group may open as well. */
export type ListenAddress =
  | { readonly host: string; readonly port: number }
  | { readonly socket: string; readonly groupId?: number | null };

/** Resolves with the address to open; rejects with the system's error if it cannot listen. */
export async function listen(server: Server, address: ListenAddress, scheme: 'http' | 'https'): Promise<string> {
  if ('socket' in address) return listenOnSocket(server, address.socket, address.groupId ?? null);
  const { host, port } = address;
  await untilListening(server, () => server.listen({ host, port }));
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${portOf(server)}/`;
}

/** Removed by Node when the server closes. */
async function listenOnSocket(server: Server, path: string, groupId: number | null): Promise<string> {
  const listenPrivately = (): Promise<void> =>
    untilListening(server, () => {
      asOwner(() => server.listen({ path }));
    });
  try {
    await listenPrivately();
  } catch (error) {
    if (!isInUse(error) || (await isAlive(path))) throw error;
    unlinkSync(path);
    await listenPrivately();
  }
  chmodSync(path, OWNER_ONLY);
  if (groupId !== null) shareWithGroup(path, groupId);
  return `unix:${path}`;
}

const OWNER_ONLY = 0o600;
const OWNER_AND_GROUP = 0o660;

/** The group first: its earlier one must not get access. */
function shareWithGroup(path: string, groupId: number): void {
  chownSync(path, -1, groupId);
  chmodSync(path, OWNER_AND_GROUP);
}

/** What is created meanwhile, only its owner may access: others could connect before a later change. */
function asOwner(create: () => void): void {
  const before = process.umask(0o177);
  try {
    create();
  } finally {
    process.umask(before);
  }
}

/** Whether a process listens there. A file that is not a socket is never touched. */
async function isAlive(path: string): Promise<boolean> {
  if (!lstatSync(path).isSocket()) throw Object.assign(new Error(`${path} is not a socket.`), { code: 'ENOTSOCK' });
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code !== 'ECONNREFUSED');
    });
  });
}

function isInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

function untilListening(server: Server, start: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
    start();
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A listening server has a port.');
  return address.port;
}
