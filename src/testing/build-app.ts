import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Builds the app that the gateway serves, unless the build is up to date. */
export async function buildApp(): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'src/tools/launch.mjs'), 'build'], { cwd: root, stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error('The app could not be built.');
}
