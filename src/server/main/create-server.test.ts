import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { VENUES } from '#contract/exchange/addresses.ts';
import { createRealPorts } from '#server/ops/process/real-ports.ts';
import { createDeskServer, type DeskServer } from './create-server.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-no-folder-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

async function open(dataDir: string, baseUrl = 'http://127.0.0.1:1'): Promise<DeskServer> {
  const sandbox = VENUES['sandbox'] ?? expect.fail('There is no profile of the sandbox.');
  const config = { profile: { ...sandbox, baseUrl }, credential: null, budget: null, dataDir, databaseUrl: null };
  return createDeskServer(config, createRealPorts('error'));
}

test('a folder that cannot be created is reported with its path and variable', async () => {
  const dataDir = join(newFolder(), 'a file');
  writeFileSync(dataDir, '');
  await expect(open(dataDir)).rejects.toThrow(
    `${dataDir} cannot be the data folder: ${dataDir} is a file. Set DESK_DATA_DIR to a folder that this user may write to.`,
  );
});

test('a folder in use by another server is reported', async () => {
  const dataDir = newFolder();
  const other = new DatabaseSync(join(dataDir, 'gateway.sqlite'));
  onTestFinished(() => {
    other.close();
  });
  other.exec('pragma locking_mode = exclusive; begin exclusive');
  await expect(open(dataDir)).rejects.toThrow(
    `Another Perpdesk is using ${dataDir}: stop it, or set DESK_DATA_DIR to another folder.`,
  );
});

test('a damaged database is reported, with what happens to its data', async () => {
  const dataDir = newFolder();
  const file = join(dataDir, 'gateway.sqlite');
  writeFileSync(file, 'This is no database. '.repeat(100));
  await expect(open(dataDir)).rejects.toThrow(
    `${file} is damaged: move it elsewhere, then restore a backup. Without one, Perpdesk creates an empty database, and people, rules and the journal are lost.`,
  );
});

test('a database damaged behind its first page is reported like one that is none', async () => {
  const dataDir = newFolder();
  await (await open(dataDir)).close();
  const file = join(dataDir, 'gateway.sqlite');
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xff, 4_096));
  await expect(open(dataDir)).rejects.toThrow(
    `${file} is damaged: move it elsewhere, then restore a backup. Without one, Perpdesk creates an empty database, and people, rules and the journal are lost.`,
  );
});

test('the tables of another version are reported with what to do', async () => {
  const dataDir = newFolder();
  const file = join(dataDir, 'gateway.sqlite');
  const other = new DatabaseSync(file);
  other.exec('create table spent_permit (id integer primary key)');
  other.close();
  await expect(open(dataDir)).rejects.toThrow(
    `${file} belongs to another version of Perpdesk, or to another program (table spent_permit has no column named purpose): move it elsewhere, then restore a backup. Without one, Perpdesk creates an empty database, and people, rules and the journal are lost.`,
  );
});

test('a gateway that cannot be wired releases its database', async () => {
  const dataDir = newFolder();
  await expect(open(dataDir, 'no URL')).rejects.toThrow('Invalid URL');
  await (await open(dataDir)).close();
});
