import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgres } from './postgres-programs.ts';
import { withClient } from './with-client.ts';

/** A server for a test that suspends or kills it. All other tests share one (shared-postgres.ts). */
export interface PostgresServer {
  readonly address: string;
  readonly createDatabase: () => Promise<string>;
  /** Suspends all its processes: connections stay open but nothing responds. */
  readonly suspend: () => void;
  readonly resume: () => void;
  /** Kills it, with all its connections. */
  readonly kill: () => Promise<void>;
  /** Starts it again at the same address, after `kill`. */
  readonly restart: () => Promise<void>;
  /** Starts a replica, which needs `pg_basebackup` beside the programs of the server. */
  readonly startReplica: () => Promise<PostgresReplica>;
  readonly stop: () => Promise<void>;
}

/** A server that follows another one a moment behind, as it does by default. */
interface PostgresReplica extends PostgresServer {
  /** Takes over nothing more from now on, as on a network that is cut. */
  readonly fallBehind: () => Promise<void>;
  /** Becomes a server of its own, without what it has not taken over. */
  readonly promote: () => Promise<void>;
}

const USER = 'perpdesk';

/**
 * Starts a PostgreSQL server in a new folder, reached through a socket there, so that it cannot interfere with another
 * one.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const owner = unprivilegedOwner();
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-postgres-'));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  try {
    const programs = findPostgres(folder);
    initialise(programs, folder, owner);
    return await serve({ programs, folder, owner });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Where a server and its data are, and whose they are. */
interface Installation {
  readonly programs: string;
  readonly folder: string;
  readonly owner: Owner | null;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Returns the user to run as if this one is root, as which PostgreSQL refuses to run. */
function unprivilegedOwner(): Owner | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (!user) throw new Error('PostgreSQL refuses to run as root, and there is neither a user postgres nor nobody.');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

function initialise(programs: string, folder: string, owner: Owner | null): void {
  const args = ['-D', join(folder, 'data'), '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const { status, stderr, error } = spawnSync(join(programs, 'initdb'), args, {
    ...owner,
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr}`);
}

/**
 * Starts a server. It has no TCP port, because only the tests connect, and does not wait for the disk, because no test
 * cuts the power.
 */
async function start({ programs, folder, owner }: Installation): Promise<ChildProcess> {
  const args = ['-D', join(folder, 'data'), '-k', folder, '-h', '', '-c', 'fsync=off'];
  const server = spawn(join(programs, 'postgres'), args, {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl-C in a terminal is for the program that uses it, which may still have something to write.
    detached: true,
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (/ready to accept (?:read-only )?connections/.test(output)) resolve();
    });
    server.once('error', reject);
    server.once('exit', (code) => {
      reject(new Error(`postgres ended with ${String(code)} before it was ready: ${output}`));
    });
  });
  return server;
}

async function serve(installation: Installation): Promise<PostgresServer> {
  const { folder } = installation;
  let server = await start(installation);
  const kill = async (): Promise<void> => {
    const ended = server.exitCode === null ? once(server, 'exit') : null;
    server.kill('SIGQUIT');
    await ended;
  };
  const address = `postgres://${USER}@${encodeURIComponent(folder)}/postgres`;
  return {
    address,
    createDatabase: () => createDatabaseAt(address),
    suspend: () => {
      suspendAll(server);
    },
    resume: () => {
      resumeAll(server);
    },
    kill,
    restart: async () => {
      server = await start(installation);
    },
    startReplica: () => startReplica(installation),
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startReplica({ programs, folder: source, owner }: Installation): Promise<PostgresReplica> {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-replica-'));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const args = ['-D', join(folder, 'data'), '-h', source, '-U', USER, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
  const { status, stderr, error } = spawnSync(join(programs, 'pg_basebackup'), args, {
    ...owner,
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`pg_basebackup failed: ${error?.message ?? stderr}`);
  const server = await serve({ programs, folder, owner });
  const run = (sql: string): Promise<unknown> => withClient(server.address, (client) => client.query(sql));
  return {
    ...server,
    fallBehind: async () => {
      await run("ALTER SYSTEM SET primary_conninfo = ''");
      await run('SELECT pg_reload_conf()');
    },
    promote: async () => {
      await run('SELECT pg_promote(true, 60)');
    },
  };
}

/** Returns the address of a new, empty database: a schema, which takes a millisecond to create. */
export async function createDatabaseAt(address: string): Promise<string> {
  const schema = `store_${randomUUID().replaceAll('-', '')}`;
  await withClient(address, (client) => client.query(`CREATE SCHEMA ${schema}`));
  return `${address}?options=${encodeURIComponent(`-c search_path=${schema}`)}`;
}

/**
 * Suspends all processes of a server, which has one for each connection. While the first one is suspended, none is
 * started, and none that ends is removed.
 */
function suspendAll({ pid = 0 }: ChildProcess): void {
  process.kill(pid, 'SIGSTOP');
  for (const child of childrenOf(pid)) process.kill(child, 'SIGSTOP');
}

function resumeAll({ pid = 0 }: ChildProcess): void {
  for (const child of childrenOf(pid)) process.kill(child, 'SIGCONT');
  process.kill(pid, 'SIGCONT');
}

function childrenOf(pid: number): readonly number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean).map(Number);
}
