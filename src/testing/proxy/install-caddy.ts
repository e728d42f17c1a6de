import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const APT_GET = '/usr/bin/apt-get';
const FLOCK = '/usr/bin/flock';
export const CADDY = '/usr/bin/caddy';

/** Installs the reverse proxy Caddy from the distribution (Debian and derivatives, as root), without its service. Concurrent calls install it once. */
export function installCaddy(): void {
  if (existsSync(CADDY)) return;
  if (process.getuid?.() !== 0 || !existsSync(APT_GET) || !existsSync(FLOCK)) {
    throw new Error('Caddy is not installed, and installing it requires root and apt-get. Install it and try again.');
  }
  const script = `set -e; ${APT_GET} update; ${APT_GET} install -y --no-install-recommends caddy`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', SYSTEMD_OFFLINE: '1' };
  const { status, stdout, stderr } = spawnSync(
    FLOCK,
    [join(tmpdir(), 'perpdesk-install-caddy.lock'), '/bin/sh', '-c', script],
    { env, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`Caddy could not be installed: ${stdout}\n${stderr}`);
}
