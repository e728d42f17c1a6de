import { expect, test } from 'vitest';
import { openTestDisk, stopWrites } from '#testing/test-disk.ts';
import { createBody } from '../body.ts';
import type { VenueAnswer } from '../ports.ts';
import { createKept } from './kept.ts';

function answerOf(bytes: number, answeredAt = 0): VenueAnswer {
  return { body: createBody([Buffer.alloc(bytes, 'x')]), contentType: 'application/json', answeredAt, tag: '"t"' };
}

const MOST = 100_000;

test('the disk keeps within its bytes, forgetting the oldest', () => {
  const kept = createKept(openTestDisk(), MOST);
  for (let index = 0; index < 900; index++) {
    kept.keep(`k${String(index)}`, answerOf(100, index));
    expect(kept.size().bytes).toBeLessThanOrEqual(MOST);
  }
  expect(kept.find('k899')?.body.byteLength).toBe(100);
  expect(kept.find('k0')).toBeUndefined();
});

test('answers without rows, to ever new questions, count for what they take, too', () => {
  const kept = createKept(openTestDisk(), MOST);
  for (let index = 0; index < 2_000; index++) kept.keep(`${'q'.repeat(100)}${String(index)}`, answerOf(2, index));
  expect(kept.size().answers).toBeLessThan(MOST / 200);
});

test('how many answers are kept, and their bytes, are what a count of them would tell', () => {
  const disk = openTestDisk();
  const kept = createKept(disk, MOST);
  for (const [key, bytes] of [['a', 40_000], ['b', 1], ['a', 5], ['c', 90_000]] as const) kept.keep(key, answerOf(bytes));
  const { answers, bytes } = kept.size();
  expect(answers).toBe(3);
  expect(createKept(disk, MOST).size()).toEqual({ answers, bytes });
  kept.keep('d', answerOf(20_000));
  expect(kept.size()).toEqual(createKept(disk, MOST).size());
});

test('what the disk has no room for is not kept', () => {
  const disk = openTestDisk();
  const kept = createKept(disk, MOST);
  stopWrites(disk);
  kept.keep('k', answerOf(100));
  expect(kept.find('k')).toBeUndefined();
  expect(kept.size()).toEqual({ answers: 0, bytes: 0 });
});

test('a file of before, without the index, is read on, and the oldest in it are found without their bodies', () => {
  const disk = openTestDisk();
  disk.database.exec(`create table kept_answer (
    key text primary key, body blob not null, content_type text not null, answered_at integer not null, tag text not null
  ) without rowid`);
  disk.database.exec(`insert into kept_answer values ('k', x'5b5d', 'application/json', 7, '"t"')`);
  const kept = createKept(disk, MOST);
  expect(kept.find('k')).toMatchObject({ answeredAt: 7, tag: '"t"' });
  expect(kept.size().answers).toBe(1);
  const plan = disk.database.prepare('explain query plan select key from kept_answer order by answered_at limit 1').all();
  expect(plan.map(({ detail }) => detail)).toEqual(['SCAN kept_answer USING COVERING INDEX kept_answer_age']);
});

test('an answer that cannot be read again is as one that was never kept', () => {
  const disk = openTestDisk();
  const kept = createKept(disk, MOST);
  kept.keep('a', answerOf(10));
  disk.database.exec('drop table kept_answer');
  expect(kept.find('a')).toBeUndefined();
});
