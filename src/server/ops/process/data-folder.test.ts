import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { prepareDataFolder } from './data-folder.ts';

const prepare = (dataDir: string, report: (sentence: string) => void = () => undefined): void => {
  prepareDataFolder(dataDir, report);
};

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-data-folder-'));
  onTestFinished(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

const advice = 'Set DESK_DATA_DIR to a folder that this user may write to.';

test('a missing folder is created with those above it, for its owner only; an existing one becomes private', () => {
  const path = join(newFolder(), 'of', 'mine');
  const reported: string[] = [];
  const open = (): void => {
    prepare(path, (sentence) => reported.push(sentence));
  };
  open();
  expect([statSync(path).mode & 0o777, reported]).toEqual([0o700, []]);
  chmodSync(path, 0o750);
  open();
  expect([statSync(path).mode & 0o777, reported]).toEqual([
    0o700,
    [`Other users had access to ${path} (mode 750). It and the files in it now belong to this user alone.`],
  ]);
});

test('a file in its place, or above it, is named', () => {
  const file = join(newFolder(), 'a file');
  writeFileSync(file, '');
  expect(() => {
    prepare(file);
  }).toThrow(`${file} cannot be the data folder: ${file} is a file. ${advice}`);
  expect(() => {
    prepare(join(file, 'below'));
  }).toThrow(`${join(file, 'below')} cannot be the data folder: ${file} is a file. ${advice}`);
});

test.runIf(process.platform === 'linux')('where the system takes no folder the attempt ends', () => {
  expect(() => {
    prepare('/proc/x/y');
  }).toThrow(`/proc/x/y cannot be the data folder: no folder can be created at /proc/x. ${advice}`);
});

/** Root can access everything, so this runs in a process that has dropped its rights. */
function messageWithoutRights(folder: string): string {
  const attempt = `
    const { prepareDataFolder } = await import(${JSON.stringify(new URL('data-folder.ts', import.meta.url).href)});
    if (process.getuid() === 0) process.setuid(65534);
    try { prepareDataFolder(${JSON.stringify(folder)}, console.log); } catch ({ message }) { console.log(message); }`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', attempt], { encoding: 'utf8' }).stdout;
}

test('a folder that this user may not write to is named', () => {
  const folder = newFolder();
  chmodSync(folder, 0o500);
  const below = join(folder, 'below');
  expect(messageWithoutRights(folder)).toContain(`this user has no access to ${folder}. ${advice}`);
  expect(messageWithoutRights(below)).toContain(`this user has no access to ${below}. ${advice}`);
});
