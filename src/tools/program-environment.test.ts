import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { environmentOf } from '#cli/environment.mjs';
import { memoryLimits } from '#cli/node-flags.mjs';
import { findForeignHand } from '#cli/settings-file.mjs';

it('bounds the memory that the C library keeps, unless the operator does', () => {
  expect(environmentOf({ DESK_PORT: '80', DESK_AUTH_TOKEN: 'x' })).toEqual({ ...memoryLimits, DESK_PORT: '80' });
  expect(environmentOf({ MALLOC_ARENA_MAX: '8', DESK_AUTH_TOKEN: 'x' }, ['DESK_AUTH_TOKEN'])).toEqual({
    ...memoryLimits,
    MALLOC_ARENA_MAX: '8',
    DESK_AUTH_TOKEN: 'x',
  });
});

it('has what the file of settings says to Node.js, unless the operator says otherwise', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-config-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, 'desk.env');
  writeFileSync(
    file,
    'NODE_EXTRA_CA_CERTS=firm.pem\nNODE_USE_SYSTEM_CA=1\nNODE_OPTIONS=--import=/tmp/x.mjs\n' +
      'NODE_TLS_REJECT_UNAUTHORIZED=0\nDESK_DATA_DIR=/srv/desk\nDESK_AUTH_TOKEN=x\n',
  );
  expect(environmentOf({ DESK_CONFIG: file, NODE_USE_SYSTEM_CA: '' })).toEqual({
    ...memoryLimits,
    DESK_CONFIG: file,
    NODE_EXTRA_CA_CERTS: 'firm.pem',
    NODE_USE_SYSTEM_CA: '',
    DESK_DATA_DIR: '/srv/desk',
  });
  expect(environmentOf({ DESK_CONFIG: join(folder, 'gone.env') })).not.toHaveProperty('DESK_DATA_DIR');
  for (const mode of [0o620, 0o602]) {
    chmodSync(file, mode);
    expect(environmentOf({ DESK_CONFIG: file })).toEqual({ ...memoryLimits, DESK_CONFIG: file });
  }
});

it.each([
  [1_000, 1_000, null],
  [0, 1_000, null],
  [1_001, 1_000, 'belongs to another user (1001): it must belong to root or to the user of Perpdesk (1000)'],
  [1_000, 0, 'belongs to another user (1000): it must belong to root or to the user of Perpdesk (0)'],
])('reads the file of settings of user %i as user %i, unless that user could change it', (uid, own, problem) => {
  expect(findForeignHand({ uid, mode: 0o100_644 }, own)).toBe(problem);
});
