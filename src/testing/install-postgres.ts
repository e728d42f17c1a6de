import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const APT_GET = '/usr/bin/apt-get';
const FLOCK = '/usr/bin/flock';

/** Its helpers come first, so that they can be told to make and start no server of their own: the tests start theirs. */
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

/** Installs PostgreSQL from the distribution (Debian and its kin, as root). Of several that ask at once, one does it. */
export function installPostgres(): void {
  if (process.getuid?.() !== 0 || !existsSync(APT_GET) || !existsSync(FLOCK)) {
    throw new Error(
      'PostgreSQL is not here and cannot be installed: that takes root and apt-get. Install it and try again.',
    );
  }
  const lock = join(tmpdir(), 'perpdesk-install-postgres.lock');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stdout, stderr } = spawnSync(FLOCK, [lock, '/bin/sh', '-c', SCRIPT], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`PostgreSQL could not be installed: ${stdout}\n${stderr}`);
}
