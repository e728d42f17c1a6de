import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const APT_GET = '/usr/bin/apt-get';
const FLOCK = '/usr/bin/flock';

/** Installs the helper package first, to configure it not to start a server: the tests start their own. */
const SCRIPT = `
  set -e
  ${APT_GET} update
  ${APT_GET} install -y --no-install-recommends postgresql-common
  settings=/etc/postgresql-common/createcluster.conf
  cp "$settings" "$settings.before"
  trap 'mv "$settings.before" "$settings"' EXIT
  echo 'create_main_cluster = false' >> "$settings"
  ${APT_GET} install -y --no-install-recommends postgresql
`;

/** Installs PostgreSQL from the distribution (Debian and derivatives, as root). Concurrent calls install it once. */
export function installPostgres(): void {
  if (process.getuid?.() !== 0 || !existsSync(APT_GET) || !existsSync(FLOCK)) {
    throw new Error(
      'PostgreSQL is not installed, and installing it requires root and apt-get. Install it and try again.',
    );
  }
  const lock = join(tmpdir(), 'perpdesk-install-postgres.lock');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stdout, stderr } = spawnSync(FLOCK, [lock, '/bin/sh', '-c', SCRIPT], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`PostgreSQL could not be installed: ${stdout}\n${stderr}`);
}
