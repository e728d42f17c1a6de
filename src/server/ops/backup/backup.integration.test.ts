import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { buildApp } from '#testing/build-app.ts';
import { startProcess } from '#testing/start-process.ts';
import { runProgram } from '#testing/run-program.ts';
import { openControl } from '../open-control.ts';
import { backUp, type PackedFile, writeArchive } from './back-up.ts';
import { rememberStore } from '../process/data-folder.ts';
import { copyDatabases } from './data-files.ts';
import { restore } from './restore.ts';

const NOW = Date.parse('2026-11-26T12:00:00.250Z');

let folder: string;
let dataDir: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perpdesk-backup-'));
  [dataDir, file] = [join(folder, 'data'), join(folder, 'desk.zip')];
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
});

const save = (version = '1.2.0') => backUp({ file, dataDir, version, now: NOW });
const saveRest = () => backUp({ file, dataDir, version: '1.2.0', now: NOW, withoutStore: true });
const NOT_IN_IT = 'The store is not in this backup. Keep it together with the pg_dump of the same time.';
const load = (target: string, options: { readonly replaces?: boolean; readonly version?: string } = {}) =>
  restore({ file, dataDir: target, replaces: false, version: '1.2.0', now: NOW, ...options });

/** Creates the data folder of a stopped Perpdesk: its key, its store, and files that no backup needs. */
function makeData(): void {
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'link-key'), 'the key\n', { mode: 0o600 });
  writeFileSync(join(dataDir, 'older.zip'), 'an older backup');
  writeFileSync(join(dataDir, 'gateway.sqlite.before_step_2'), 'as it was');
  const database = new DatabaseSync(join(dataDir, 'gateway.sqlite'));
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE rule (id TEXT); INSERT INTO rule VALUES ('one')");
  database.close();
}

function newFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

function readRules(path: string): readonly unknown[] {
  const database = new DatabaseSync(join(path, 'gateway.sqlite'));
  try {
    return database
      .prepare('SELECT id FROM rule')
      .all()
      .map(({ id }) => id);
  } finally {
    database.close();
  }
}

describe('a backup of a Perpdesk that is not running', () => {
  it('has its databases and keys, for its owner only, and puts them into an empty folder', async () => {
    makeData();
    expect(await save()).toEqual([expect.stringMatching(/^gateway\.sqlite, link-key in .*desk\.zip, [\d,]+ bytes\.$/)]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir).toSorted()).toEqual([
      'gateway.sqlite',
      'gateway.sqlite.before_step_2',
      'link-key',
      'older.zip',
    ]);
    const target = newFolder('restored');
    expect(await load(target)).toEqual([
      `Restored gateway.sqlite, link-key to ${target}, as they were at 2026-11-26T12:00:00.250Z in Perpdesk 1.2.0.`,
    ]);
    expect(readdirSync(target).toSorted()).toEqual(['gateway.sqlite', 'link-key']);
    expect([
      statSync(join(target, 'link-key')).mode & 0o777,
      readFileSync(join(target, 'link-key'), 'utf8'),
      readRules(target),
    ]).toEqual([0o600, 'the key\n', ['one']]);
  });

  it('overwrites nothing, and leaves no half a file where it fails', async () => {
    await expect(save()).rejects.toThrow(`The data folder ${dataDir} does not exist.`);
    makeData();
    writeFileSync(file, 'mine');
    await expect(save()).rejects.toThrow(/exists already\.$/);
    rmSync(file);
    writeFileSync(`${file}.part`, 'mine too');
    await save();
    expect(readFileSync(`${file}.part`, 'utf8')).toBe('mine too');
    for (const path of [file, `${file}.part`]) rmSync(path);
    expect(readdirSync(folder)).toEqual(['data']);
    const open = new DatabaseSync(join(dataDir, 'gateway.sqlite'));
    open.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    await expect(save()).rejects.toThrow(/gateway\.sqlite is open in another program\.$/);
    open.close();
    const bytes = readFileSync(join(dataDir, 'gateway.sqlite'));
    writeFileSync(
      join(dataDir, 'gateway.sqlite'),
      Buffer.concat([bytes.subarray(0, 4_096), Buffer.alloc(4_096, 7), bytes.subarray(8_192)]),
    );
    await expect(save()).rejects.toThrow(/^gateway\.sqlite (?:is damaged, so nothing was backed up|cannot be read): /);
    expect(readdirSync(folder)).toEqual(['data']);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('fails where the store is missing, unless that is meant', async () => {
    makeData();
    rmSync(join(dataDir, 'gateway.sqlite'));
    await expect(save()).rejects.toThrow(
      `The store is not in ${dataDir}, so the backup would lack it. If it is in PostgreSQL, back that database up ` +
        'with pg_dump, and add --without-store to back up the rest.',
    );
    expect(readdirSync(folder)).toEqual(['data']);
    expect(await saveRest()).toEqual([expect.stringMatching(/^link-key in /), NOT_IN_IT]);
  });

  it('knows where the store is, also where an earlier one is left in the folder', async () => {
    makeData();
    rememberStore(dataDir, 'postgres://desk@db.example/desk');
    await expect(save()).rejects.toThrow(`The store is not in ${dataDir}, but at postgres://desk@db.example/desk,`);
    expect(await saveRest()).toEqual([
      expect.stringMatching(/^gateway\.sqlite, link-key, store-address in /),
      NOT_IN_IT,
    ]);
    rememberStore(dataDir, null);
    rmSync(file);
    expect(await save()).toHaveLength(1);
  });
});

it('while a Perpdesk runs that does not use the store in the folder, a backup says so', async () => {
  makeData();
  const unused = (): never => expect.fail('A backup uses no other command.');
  const control = await openControl(
    dataDir,
    {
      'copy-databases': async () => ({ version: '1.2.0', ...(await copyDatabases(dataDir, [])) }),
      'manage-people': unused,
      'address': unused,
      'audit-ends': unused,
      'audit-after': unused,
    },
    unused,
  );
  onTestFinished(control.close);
  await expect(save()).rejects.toThrow(`The store is not in ${dataDir}`);
  expect(await saveRest()).toEqual([expect.stringMatching(/^gateway\.sqlite, link-key in /), NOT_IN_IT]);
});

describe('restoring', () => {
  it('refuses a folder that is not empty; --replace moves what is there aside', async () => {
    makeData();
    await save();
    const target = newFolder('taken');
    writeFileSync(join(target, 'link-key'), 'another key');
    await expect(load(target)).rejects.toThrow(
      `${target} is not empty. Set DESK_DATA_DIR to an empty folder, or add --replace`,
    );
    expect((await load(target, { replaces: true }))[1]).toBe(
      `The previous contents are in ${join(target, 'replaced-2026-11-26T12-00-00Z')}. Delete that folder when you no longer need it.`,
    );
    expect(readFileSync(join(target, 'link-key'), 'utf8')).toBe('the key\n');
    expect(readFileSync(join(target, 'replaced-2026-11-26T12-00-00Z', 'link-key'), 'utf8')).toBe('another key');
  });

  it('refuses what a later version made, and takes what an earlier one made', async () => {
    makeData();
    await save('1.10.0');
    const target = newFolder('restored');
    await expect(load(target, { version: '1.9.3' })).rejects.toThrow(
      `${file} cannot be restored. It was made by Perpdesk 1.10.0, and this is 1.9.3. Restore it with version 1.10.0 or later.`,
    );
    await load(target, { version: '2.0.0' });
    expect(readRules(target)).toEqual(['one']);
  });

  const first = (name: string): Omit<PackedFile, 'path'> => ({ name, bytes: 8, sha256: '0'.repeat(64) });
  it.each([
    [
      'another hash',
      [first('link-key')],
      'was not restored. Its link-key is damaged: the SHA-256 differs from the one in its manifest.json.',
    ],
    [
      'another size',
      [{ ...first('link-key'), bytes: 9 }],
      'cannot be restored. Its link-key does not have the size that its manifest.json lists.',
    ],
    [
      'a name that leaves the folder',
      [first('nested/link-key')],
      'cannot be restored. Its manifest.json lists files that no backup has.',
    ],
    ['a socket', [first('control.sock')], 'cannot be restored. Its manifest.json lists files that no backup has.'],
    [
      'unfinished writes of a database',
      [first('gateway.sqlite-wal')],
      'cannot be restored. Its manifest.json lists files that no backup has.',
    ],
    ['a file twice', [first('link-key'), first('link-key')], 'cannot be restored. It contains link-key twice.'],
    ['no files', [], 'cannot be restored. Its manifest.json lists files that no backup has.'],
  ])('changes nothing where a backup has %s', async (_, files, sentence) => {
    makeData();
    await writeArchive(
      file,
      { format: 1, version: '1.2.0', made_at: '2026-11-26T12:00:00Z' as never },
      files.map((each) => ({ ...each, path: join(dataDir, 'link-key') })),
    );
    const target = newFolder('restored');
    writeFileSync(join(target, 'mine'), '');
    await expect(load(target, { replaces: true })).rejects.toThrow(`${file} ${sentence}`);
    expect(readdirSync(target)).toEqual(['mine']);
  });

  it.each([
    [
      'is no zip',
      () => {
        writeFileSync(file, 'no zip');
      },
    ],
    [
      'is cut off',
      () => {
        writeFileSync(file, readFileSync(file).subarray(0, -30));
      },
    ],
    [
      'is continued',
      () => {
        appendFileSync(file, 'and more');
      },
    ],
    [
      'is missing',
      () => {
        rmSync(file);
      },
    ],
  ])('says that a file %s', async (_, spoil) => {
    makeData();
    await save();
    spoil();
    await expect(load(newFolder('restored'))).rejects.toThrow(`${file} cannot be restored. `);
  });
});

it(
  'a Perpdesk with its embedded exchange is backed up while it runs, and goes on from there elsewhere',
  { timeout: 120_000 },
  async () => {
    await buildApp();
    const start = (path: string) =>
      startProcess('src/serve.ts', [], { DESK_PORT: '0', DESK_DATA_DIR: path, DESK_LOG_LEVEL: 'error' });
    const desk = await start(dataDir);
    /** Closed orders no longer change, while the market continues. */
    const closedOrders = async (address: string, end: string): Promise<readonly object[]> => {
      const { data } = (await (await fetch(`${address}api/orders?limit=100&end_time=${end}`)).json()) as {
        readonly data: readonly { readonly status: string }[];
      };
      return data.filter(({ status }) => status === 'Closed');
    };
    try {
      expect(statSync(join(dataDir, 'control.sock')).mode & 0o777).toBe(0o600);
      const end = new Date(Date.now() - 60_000).toISOString();
      const expected = await closedOrders(desk.address, end);
      const { code, stdout } = await runProgram('src/server/main/backup.ts', [file], { DESK_DATA_DIR: dataDir });
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/^gateway\.sqlite, venue\.sqlite, link-key, venue-credential in /),
      ]);
      const refused = await runProgram('src/server/main/restore.ts', [file, '--replace'], { DESK_DATA_DIR: dataDir });
      expect(refused).toEqual({
        code: 1,
        stdout: '',
        stderr: `perpdesk: Perpdesk is running on ${dataDir}. Stop it first, or set DESK_DATA_DIR to another folder.\n`,
      });
      await runProgram('src/server/main/restore.ts', [file], { DESK_DATA_DIR: join(folder, 'restored') });
      const copy = await start(join(folder, 'restored'));
      expect(await closedOrders(copy.address, end)).toEqual(expect.arrayContaining([...expected]));
      expect(expected.length).toBeGreaterThan(10);
      expect(await copy.stop()).toBe(0);
    } finally {
      expect(await desk.stop()).toBe(0);
    }
    expect(readdirSync(dataDir)).not.toContain('control.sock');
  },
);
