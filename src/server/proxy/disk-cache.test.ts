import { expect, test } from 'vitest';
import { openMemory, toTestStore } from '#testing/server-store/test-store.ts';
import { openDiskCache } from './response-cache.ts';

test('a database of an earlier version, without the index, is still read, and its oldest responses are found without reading bodies', async () => {
  const store = toTestStore(
    await openMemory([
      `create table kept_answer (
        key text primary key, body blob not null, content_type text not null, answered_at integer not null, tag text not null
      ) without rowid`,
      `insert into kept_answer values ('k', x'5b5d', 'application/json', 7, '"t"')`,
    ]),
  );
  const cache = await openDiskCache(store, 100_000);
  expect(await cache.find('k')).toMatchObject({ respondedAt: 7, tag: '"t"' });
  expect(cache.size().responses).toBe(1);
  const plan = await store.query('explain query plan select key from kept_answer order by answered_at limit 1');
  expect(plan.map((row) => row.at(-1))).toEqual(['SCAN kept_answer USING COVERING INDEX kept_answer_age']);
});
