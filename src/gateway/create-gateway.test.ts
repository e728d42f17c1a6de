import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { VENUES } from '#contract/venues.ts';
import { createGateway } from './create-gateway.ts';
import { createRealPorts } from './real-ports.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-no-folder-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

function open(dataDir: string): void {
  const sandbox = VENUES['sandbox'] ?? expect.fail('There is no profile of the sandbox.');
  const config = { profile: { ...sandbox, baseUrl: 'http://127.0.0.1:1' }, credential: null, budget: null, dataDir };
  createGateway(config, createRealPorts('error'));
}

test('a folder that cannot be made is told by its path and its variable', () => {
  const dataDir = join(newFolder(), 'a file');
  writeFileSync(dataDir, '');
  expect(() => { open(dataDir); }).toThrow(`${dataDir} cannot be written (EEXIST: file already exists, mkdir '${dataDir}'): set DESK_DATA_DIR to another folder.`);
});

test('a folder that another desk has is told as that', () => {
  const dataDir = newFolder();
  const other = new DatabaseSync(join(dataDir, 'gateway.sqlite'));
  onTestFinished(() => {
    other.close();
  });
  other.exec('pragma locking_mode = exclusive; begin exclusive');
  expect(() => { open(dataDir); }).toThrow(`${dataDir} is in use by another desk: end that one, or set DESK_DATA_DIR to another folder.`);
});

test('a damaged file is told as that, and what becomes of what it held', () => {
  const dataDir = newFolder();
  const file = join(dataDir, 'gateway.sqlite');
  writeFileSync(file, 'This is no database. '.repeat(100));
  expect(() => { open(dataDir); }).toThrow(`${file} is damaged: move it away, and the desk makes a new one and reads from the venue again what it held.`);
});
