import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const CLUSTERS = '/etc/postgresql-common/createcluster.conf';

/**
 * Installs PostgreSQL from the distribution (Debian and its kin, as root). Its helpers come first, so that they can be
 * told to make and start no server of their own: the tests start theirs.
 */
export function installPostgres(): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error('PostgreSQL is not here and cannot be installed: that takes root and apt-get. Install it and try again.');
  }
  aptGet('update');
  aptGet('install', '-y', '--no-install-recommends', 'postgresql-common');
  const settings = readFileSync(CLUSTERS, 'utf8');
  writeFileSync(CLUSTERS, `${settings}\ncreate_main_cluster = false\n`);
  try {
    aptGet('install', '-y', '--no-install-recommends', 'postgresql');
  } finally {
    writeFileSync(CLUSTERS, settings);
  }
}

function aptGet(...args: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stdout, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`apt-get ${args.join(' ')} failed: ${stdout}\n${stderr}`);
}
