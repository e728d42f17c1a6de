import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { startProgram, type Program } from '../lib/program.ts';
import { artifacts } from '../lib/report.ts';

/** Folders to search, for users whose PATH lacks the system's daemons. */
const PLACES = ['nginx', '/usr/sbin/nginx', '/usr/local/sbin/nginx'];

/** Starts nginx. Null if it is not installed. */
export async function startNginx(upstream: URL, core: number): Promise<Program | null> {
  const nginx = PLACES.find((place) => spawnSync(place, ['-v']).status === 0);
  if (nginx === undefined) return null;
  const folder = join(artifacts, 'gateway', 'nginx');
  mkdirSync(folder, { recursive: true });
  const port = await findFreePort();
  writeFileSync(join(folder, 'nginx.conf'), writeConfiguration(folder, port, upstream));
  // It prints nothing when it is ready, but is ready at once.
  const start = `echo ready at http://127.0.0.1:${String(port)}/; exec ${nginx} -p '${folder}' -c nginx.conf -e stderr`;
  const program = await startProgram({ command: 'sh', args: ['-c', start], ready: /ready at (http:\S+)/, core });
  await untilItListens(program.address);
  return program;
}

/** Writes the configuration: one process, so that its core time is complete; keep-alive to the exchange; no log. */
function writeConfiguration(folder: string, port: number, upstream: URL): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path '${folder}/${name}';`,
  );
  return `
daemon off; master_process off; pid '${folder}/nginx.pid';
events { worker_connections 4096; }
http {
  access_log off; tcp_nopush on; keepalive_requests 1000000000; ${temporary.join(' ')}
  upstream exchange { server ${upstream.host}; keepalive 128; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${String(port)} backlog=1024;
    location / {
      proxy_pass http://exchange; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_buffers 16 16k; proxy_buffer_size 16k; proxy_busy_buffers_size 32k;
    }
  }
}
`;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const MAX_ATTEMPTS = 100;

async function untilItListens(address: URL): Promise<void> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const response = await fetch(address).catch(() => null);
    if (response?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('nginx does not respond');
}
