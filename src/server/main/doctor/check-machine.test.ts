import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkAuditTarget, checkClock, checkDataFolder, checkDisk } from './check-machine.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-machine-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

test('a data folder is well if it is private, or will be created; otherwise the check says what to do', () => {
  const folder = newFolder();
  expect(checkDataFolder(folder)).toEqual({
    subject: 'data folder',
    outcome: 'ok',
    remark: `Only its owner has access to ${folder}.`,
  });
  expect(checkDataFolder(join(folder, 'a', 'b'))).toMatchObject({
    outcome: 'ok',
    remark: expect.stringContaining('does not exist yet') as string,
  });
  chmodSync(folder, 0o755);
  expect(checkDataFolder(folder)).toMatchObject({
    outcome: 'warning',
    remark: expect.stringContaining(`run "chmod 700 ${folder}"`) as string,
  });
  writeFileSync(join(folder, 'file'), '');
  expect(checkDataFolder(join(folder, 'file'))).toMatchObject({ outcome: 'failed' });
  // A mounted disk has a folder of root's.
  mkdirSync(join(folder, 'lost+found'));
  expect(checkDataFolder(folder)).toMatchObject({ outcome: 'warning' });
});

test.each([
  [83_200_000_000, 'ok', '83.2 GB are free on the disk of the data folder.'],
  [900_000_000, 'warning', '0.9 GB are free on the disk of the data folder: free some disk space'],
  [50_000_000, 'failed', '0.1 GB are free on the disk of the data folder: free some disk space'],
])('a disk with %d free bytes is %s', (free, outcome, remark) => {
  expect(checkDisk('.', () => free)).toMatchObject({ outcome, remark: expect.stringContaining(remark) as string });
});

test('the clock is compared with the one that differs most', () => {
  expect(checkClock([])).toMatchObject({ outcome: 'ok' });
  expect(checkClock([['db', 400]])).toMatchObject({
    outcome: 'ok',
    remark: 'This machine’s clock is 0.4 s behind that of db.',
  });
  expect(
    checkClock([
      ['db', 400],
      ['login', -12_000],
    ]),
  ).toMatchObject({
    outcome: 'warning',
    remark: 'This machine’s clock is 12.0 s ahead of that of login: synchronise it, for example with NTP.',
  });
  expect(checkClock([['db', 90_000]])).toMatchObject({ outcome: 'failed' });
});

test('a copy of the audit log must be in a folder that exists', () => {
  const folder = newFolder();
  expect(checkAuditTarget({ kind: 'file', path: join(folder, 'audit.jsonl') })).toMatchObject([{ outcome: 'ok' }]);
  expect(checkAuditTarget({ kind: 'file', path: join(folder, 'none', 'audit.jsonl') })).toMatchObject([
    { outcome: 'failed' },
  ]);
  expect(checkAuditTarget({ kind: 'stderr' })).toEqual([]);
});
