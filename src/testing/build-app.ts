import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** So that the gateway has something to serve. Does nothing where it is built. */
export async function buildApp(): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'src/tools/launch.mjs'), 'build'], { cwd: root, stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error('The app cannot be built.');
}
