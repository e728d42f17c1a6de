import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makePrivate } from './private-folder.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

function newFolder(mode: number): string {
  const parent = mkdtempSync(join(tmpdir(), 'perpdesk-private-'));
  onTestFinished(() => {
    rmSync(parent, { recursive: true });
  });
  // Another user may access the path down to the folder itself.
  chmodSync(parent, 0o755);
  const folder = join(parent, 'data');
  mkdirSync(folder);
  chmodSync(folder, mode);
  return folder;
}

function write(folder: string, name: string, mode: number): string {
  const path = join(folder, name);
  writeFileSync(path, name);
  chmodSync(path, mode);
  return path;
}

function modesIn(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ['.', ...readdirSync(folder)].map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
  );
}

/** Returns what it says or throws in a process of another user. */
function askAs(user: number, folder: string): string {
  const attempt = `
    const { makePrivate } = await import(${JSON.stringify(new URL('private-folder.ts', import.meta.url).href)});
    process.setgroups([]); process.setgid(${String(user)}); process.setuid(${String(user)});
    try { console.log(makePrivate(${JSON.stringify(folder)})); } catch ({ message }) { console.log(message); }`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', attempt], { encoding: 'utf8' }).stdout.trim();
}

test.each(['755', '777', '750', '701', '2775'])(
  'a folder with the mode %s and the files in it become their owner’s, and one sentence says so, once',
  (text) => {
    const mode = Number.parseInt(text, 8);
    const folder = newFolder(mode);
    write(folder, 'gateway.sqlite', 0o644);
    write(folder, 'link-key', 0o600);
    write(folder, 'script', 0o755);
    mkdirSync(join(folder, 'replaced'));
    const permissions = (mode & 0o777).toString(8);
    expect(makePrivate(folder)).toBe(
      `Other users had access to ${folder} (mode ${permissions}). It and the files in it now belong to this user alone.`,
    );
    expect(modesIn(folder)).toEqual({
      '.': (mode & 0o700).toString(8),
      'gateway.sqlite': '600',
      'link-key': '600',
      'script': '700',
      'replaced': '755',
    });
    expect(makePrivate(folder)).toBeNull();
  },
);

test('where nobody else could enter the folder, files become private without a word', () => {
  const folder = newFolder(0o700);
  write(folder, 'gateway.sqlite', 0o644);
  expect(makePrivate(folder)).toBeNull();
  expect(modesIn(folder)).toEqual({ '.': '700', 'gateway.sqlite': '600' });
});

test('through a symbolic link the folder itself becomes private, and what links in it lead to is left alone', () => {
  const folder = newFolder(0o755);
  const elsewhere = write(join(folder, '..'), 'elsewhere', 0o644);
  symlinkSync(elsewhere, join(folder, 'link'));
  const link = join(folder, '..', 'linked');
  symlinkSync(folder, link);
  expect(makePrivate(link)).toContain(link);
  expect([statSync(folder).mode & 0o777, statSync(elsewhere).mode & 0o777]).toEqual([0o700, 0o644]);
});

test('a file system that keeps no permissions is named', () => {
  const folder = newFolder(0o755);
  expect(() => makePrivate(folder, () => undefined)).toThrow(
    `Other users have access to ${folder} (mode 755), and its file system does not let that change: use a folder elsewhere.`,
  );
});

test.runIf(isRoot)('another user’s folder that this user may enter is refused, with what to run', () => {
  const folder = newFolder(0o777);
  expect(askAs(NOBODY, folder)).toBe(
    `Other users have access to ${folder} (mode 777), and it belongs to another user (0): as root, run "chown ${String(NOBODY)} ${folder}" and "chmod 700 ${folder}", or use a new folder below it.`,
  );
  expect(modesIn(folder)).toEqual({ '.': '777' });
});

test.runIf(isRoot)('a file that another user has put there, or a link of theirs, is refused, with what to run', () => {
  const folder = newFolder(0o777);
  chownSync(folder, NOBODY, NOBODY);
  const file = write(folder, 'gateway.sqlite', 0o600);
  const rejection = `The file ${file} belongs to another user (0): delete it, or as root, run "chown ${String(NOBODY)} ${file}".`;
  expect(askAs(NOBODY, folder)).toBe(rejection);
  rmSync(file);
  symlinkSync('/etc/hostname', file);
  expect(askAs(NOBODY, folder)).toBe(rejection);
});

test.runIf(isRoot)(
  'a folder that only root may enter besides, such as the lost and found of a disk, hurts nobody',
  () => {
    const folder = newFolder(0o700);
    chownSync(folder, NOBODY, NOBODY);
    mkdirSync(join(folder, 'lost+found'), { mode: 0o700 });
    expect(askAs(NOBODY, folder)).toBe('null');
  },
);

test.runIf(isRoot)(
  'root may work on the folder of the user that Perpdesk runs as, but not on what a third one put there',
  () => {
    const folder = newFolder(0o755);
    chownSync(folder, NOBODY, NOBODY);
    chownSync(write(folder, 'gateway.sqlite', 0o644), NOBODY, NOBODY);
    expect(makePrivate(folder)).toContain(folder);
    expect([statSync(folder).uid, modesIn(folder)]).toEqual([NOBODY, { '.': '700', 'gateway.sqlite': '600' }]);
    chownSync(write(folder, 'link-key', 0o600), 12_345, 12_345);
    expect(() => makePrivate(folder)).toThrow(
      `The file ${join(folder, 'link-key')} belongs to another user (12345): delete it, or as root, run "chown ${String(NOBODY)} ${join(folder, 'link-key')}".`,
    );
  },
);
