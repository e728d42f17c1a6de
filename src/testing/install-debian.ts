import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const APT_GET = '/usr/bin/apt-get';
const FLOCK = '/usr/bin/flock';

export const CADDY = '/usr/bin/caddy';
export const PGBOUNCER = '/usr/sbin/pgbouncer';

/** Installs the reverse proxy Caddy. */
export function installCaddy(): void {
  install('caddy', CADDY);
}

/** Installs the connection pooler PgBouncer. */
export function installPgbouncer(): void {
  install('pgbouncer', PGBOUNCER);
}

/**
 * Installs a package of the distribution (Debian and derivatives, as root), without its service. Concurrent calls
 * install it once.
 */
function install(name: string, program: string): void {
  if (existsSync(program)) return;
  if (process.getuid?.() !== 0 || !existsSync(APT_GET) || !existsSync(FLOCK)) {
    throw new Error(
      `The program ${program} is missing, and installing ${name} requires root and apt-get. Install it and try again.`,
    );
  }
  const script = `set -e; ${APT_GET} update; ${APT_GET} install -y --no-install-recommends ${name}`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', SYSTEMD_OFFLINE: '1' };
  const { status, stdout, stderr } = spawnSync(
    FLOCK,
    [join(tmpdir(), 'perpdesk-install-debian.lock'), '/bin/sh', '-c', script],
    { env, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The package ${name} could not be installed: ${stdout}\n${stderr}`);
}
