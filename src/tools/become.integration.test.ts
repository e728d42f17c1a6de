import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from './paths.mjs';

/** Root may enter every folder, so if root runs this test, another user runs the program. */
const AS_SOMEBODY = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];

it('a command starts in a folder that its user may not enter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-become-'));
  const closed = join(folder, 'closed');
  onTestFinished(() => {
    chmodSync(closed, 0o700);
    rmSync(folder, { recursive: true });
  });
  chmodSync(folder, 0o755);
  mkdirSync(closed);
  for (const file of ['become.mjs', 'run.mjs']) copyFileSync(join(root, 'src/cli', file), join(folder, file));
  const program = `
    import { become } from '${join(folder, 'become.mjs')}';
    await become(process.execPath, ['--print', '"started"'], { env: {} });
  `;
  const { stdout, stderr } = spawnSync(
    'sh',
    ['-c', 'chmod 0 . && exec "$@"', 'sh', ...AS_SOMEBODY, process.execPath, '--input-type=module', '--eval', program],
    { cwd: closed, encoding: 'utf8' },
  );
  expect([stdout, stderr]).toEqual(['started\n', expect.not.stringContaining('Error')]);
});
