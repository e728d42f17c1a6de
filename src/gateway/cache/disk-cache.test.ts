import { expect, test } from 'vitest';
import { openTestDisk, stopWrites } from '#testing/test-disk.ts';
import { createBody } from '../body.ts';
import type { VenueResponse } from '../ports.ts';
import { createDiskCache } from './disk-cache.ts';

function responseOf(bytes: number, answeredAt = 0): VenueResponse {
  return { body: createBody([Buffer.alloc(bytes, 'x')]), contentType: 'application/json', answeredAt, tag: '"t"' };
}

const MOST = 100_000;

test('the cache never exceeds its size and evicts the oldest responses', () => {
  const cache = createDiskCache(openTestDisk(), MOST);
  for (let index = 0; index < 900; index++) {
    cache.put(`k${String(index)}`, responseOf(100, index));
    expect(cache.size().bytes).toBeLessThanOrEqual(MOST);
  }
  expect(cache.find('k899')?.body.byteLength).toBe(100);
  expect(cache.find('k0')).toBeUndefined();
});

test('small responses count with their overhead', () => {
  const cache = createDiskCache(openTestDisk(), MOST);
  for (let index = 0; index < 2_000; index++) cache.put(`${'q'.repeat(100)}${String(index)}`, responseOf(2, index));
  expect(cache.size().responses).toBeLessThan(MOST / 200);
});

test('the tracked size equals a fresh count', () => {
  const disk = openTestDisk();
  const cache = createDiskCache(disk, MOST);
  for (const [key, bytes] of [['a', 40_000], ['b', 1], ['a', 5], ['c', 90_000]] as const) cache.put(key, responseOf(bytes));
  const { responses, bytes } = cache.size();
  expect(responses).toBe(3);
  expect(createDiskCache(disk, MOST).size()).toEqual({ responses, bytes });
  cache.put('d', responseOf(20_000));
  expect(cache.size()).toEqual(createDiskCache(disk, MOST).size());
});

test('a response that does not fit on the disk is not stored', () => {
  const disk = openTestDisk();
  const cache = createDiskCache(disk, MOST);
  stopWrites(disk);
  cache.put('k', responseOf(100));
  expect(cache.find('k')).toBeUndefined();
  expect(cache.size()).toEqual({ responses: 0, bytes: 0 });
});

test('a database of an earlier version, without the index, is still read, and its oldest responses are found without reading bodies', () => {
  const disk = openTestDisk();
  disk.database.exec(`create table kept_answer (
    key text primary key, body blob not null, content_type text not null, answered_at integer not null, tag text not null
  ) without rowid`);
  disk.database.exec(`insert into kept_answer values ('k', x'5b5d', 'application/json', 7, '"t"')`);
  const cache = createDiskCache(disk, MOST);
  expect(cache.find('k')).toMatchObject({ answeredAt: 7, tag: '"t"' });
  expect(cache.size().responses).toBe(1);
  const plan = disk.database.prepare('explain query plan select key from kept_answer order by answered_at limit 1').all();
  expect(plan.map(({ detail }) => detail)).toEqual(['SCAN kept_answer USING COVERING INDEX kept_answer_age']);
});

test('a response that cannot be read back counts as not found', () => {
  const disk = openTestDisk();
  const cache = createDiskCache(disk, MOST);
  cache.put('a', responseOf(10));
  disk.database.exec('drop table kept_answer');
  expect(cache.find('a')).toBeUndefined();
});
