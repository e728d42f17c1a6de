import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../free-port.ts';
import { CADDY, installCaddy } from '../install-debian.ts';

export interface Caddy {
  readonly address: string;
  readonly stop: () => Promise<void>;
}

/** Starts Caddy in front of a server, with the directives of one site. */
export async function startCaddy(directives: string): Promise<Caddy> {
  installCaddy();
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-caddy-'));
  const port = await findFreePort();
  const file = join(folder, 'Caddyfile');
  writeFileSync(
    file,
    `{\n  admin off\n  auto_https off\n  storage file_system ` +
      `${folder}\n}\nhttp://127.0.0.1:${String(port)} {\n${directives}\n}\n`,
  );
  const caddy = spawn(CADDY, ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder },
  });
  const ended = once(caddy, 'close');
  let output = '';
  await new Promise<void>((resolve, reject) => {
    caddy.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('serving initial configuration')) resolve();
    });
    void ended.then(() => {
      reject(new Error(`Caddy ended before it was ready: ${output}`));
    });
  });
  return {
    address: `http://127.0.0.1:${String(port)}/`,
    stop: async () => {
      caddy.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
