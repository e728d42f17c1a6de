import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../free-port.ts';
import { installPgbouncer, PGBOUNCER } from '../install-debian.ts';

export interface Pooler {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** PgBouncer refuses to run as root. */
const NOBODY = 65_534;

/** Starts PgBouncer, which gives each transaction another connection to the database at this port. */
export async function startPgbouncer(databasePort: number): Promise<Pooler> {
  installPgbouncer();
  const [folder, port] = [mkdtempSync(join(tmpdir(), 'perpdesk-pgbouncer-')), await findFreePort()];
  chmodSync(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=127.0.0.1 port=${String(databasePort)} user=perpdesk`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${String(port)}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'default_pool_size = 6',
      'server_login_retry = 1',
      'ignore_startup_parameters = statement_timeout',
    ].join('\n'),
    { mode: 0o644 },
  );
  const asRoot = process.getuid?.() === 0;
  const pooler = spawn(PGBOUNCER, [file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(asRoot && { uid: NOBODY, gid: NOBODY }),
  });
  const ended = once(pooler, 'close');
  let output = '';
  await new Promise<void>((resolve, reject) => {
    pooler.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('process up')) resolve();
    });
    void ended.then(() => {
      reject(new Error(`PgBouncer ended before it was ready: ${output}`));
    });
  });
  return {
    port,
    stop: async () => {
      pooler.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
