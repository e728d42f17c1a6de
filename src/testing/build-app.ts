import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/**
 * This variable is set by a run of tests that has built the app: checking before each start that nothing has changed
 * takes a second.
 */
const BUILT = 'PERPDESK_APP_IS_BUILT';

/** Sets the variable for the processes that this one starts from now on. */
export function trustBuiltApp(): void {
  process.env[BUILT] = 'yes';
}

/** Builds the app that Perpdesk serves, unless the build is up to date. */
export async function buildApp(): Promise<void> {
  if (process.env[BUILT] === 'yes') return;
  const child = spawn(process.execPath, [join(root, 'src/tools/launch.mjs'), 'build'], { cwd: root, stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error('The app could not be built.');
}
