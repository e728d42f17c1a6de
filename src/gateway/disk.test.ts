import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createFakeClock } from '#testing/fake-clock.ts';
import { allowWrites, stopWrites } from '#testing/test-disk.ts';
import { createDisk, createWriteCheck } from './disk.ts';

function open() {
  const clock = createFakeClock();
  const reported: Error[] = [];
  const disk = createDisk(new DatabaseSync(':memory:'), { elapsed: clock.elapsed, report: (failure) => void reported.push(failure) });
  disk.database.exec('create table note (text text)');
  const insert = disk.database.prepare('insert into note values (1)');
  return { clock, reported, disk, write: () => insert.run().changes };
}

test('failed writes are reported once in ten minutes, counted each time, and do not throw', async () => {
  const { clock, reported, disk, write } = open();
  stopWrites(disk);
  for (let time = 0; time < 100; time++) disk.tryToWrite(write);
  expect(reported.map(({ message }) => message)).toEqual(['attempt to write a readonly database']);
  expect(disk.failedWrites()).toBe(100);
  await clock.advance(600_000);
  disk.tryToWrite(write);
  expect(reported).toHaveLength(2);
});

test('a required write fails with a sentence that says what to do, and succeeds once there is space', () => {
  const { disk, write } = open();
  stopWrites(disk);
  const detail = 'Perpdesk cannot write to its data folder (attempt to write a readonly database): free some disk space, or set DESK_DATA_DIR to a writable folder.';
  expect(() => disk.mustWrite(write)).toThrow(expect.objectContaining({ problem: { type: 'desk-cannot-write', detail } }) as Error);
  allowWrites(disk);
  expect(disk.mustWrite(write)).toBe(1);
});

test('the check of the disk gives the sentence while nothing can be written, and none from the next success on', () => {
  const { disk } = open();
  const check = createWriteCheck(disk);
  expect(check()).toBeNull();
  stopWrites(disk);
  expect(check()).toMatch(/^Perpdesk cannot write to its data folder \(attempt to write a readonly database\): free some disk space/);
  allowWrites(disk);
  expect([check(), check()]).toEqual([null, null]);
});

test('a damaged database is called that, with what to do', () => {
  const { disk } = open();
  const damaged = Object.assign(new Error('database disk image is malformed'), { code: 'ERR_SQLITE_ERROR', errcode: 11 });
  const write = () => {
    throw damaged;
  };
  const detail = 'Perpdesk cannot write to its data folder (database disk image is malformed): its database is damaged. Stop Perpdesk and move gateway.sqlite elsewhere; the next start creates a new one and reads the lost data from the exchange again.';
  expect(() => disk.mustWrite(write)).toThrow(expect.objectContaining({ problem: { type: 'desk-cannot-write', detail } }) as Error);
});

test('a failed read is reported and counts as not found', () => {
  const { disk, reported } = open();
  const read = disk.database.prepare('select text from note');
  expect(disk.tryToRead(() => read.all())).toEqual([]);
  disk.database.exec('drop table note');
  expect(disk.tryToRead(() => read.all())).toBeUndefined();
  expect([reported.map(({ message }) => message), disk.failedWrites()]).toEqual([['no such table: note'], 0]);
});

test('a bug is not treated as a disk failure', () => {
  const { disk, reported } = open();
  const mistake = () => {
    throw new TypeError('mistake');
  };
  expect(() => { disk.tryToWrite(mistake); }).toThrow(TypeError);
  expect(() => {
    disk.tryToRead(mistake);
  }).toThrow(TypeError);
  expect(() => disk.mustWrite(mistake)).toThrow(TypeError);
  expect(reported).toEqual([]);
});
