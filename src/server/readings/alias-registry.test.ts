import { expect, it } from 'vitest';
import { createBody } from '#server/core/body.ts';
import { tryToParseRows } from '#server/core/rows.ts';
import { openTestStore } from '#testing/server-store/test-store.ts';
import { openAliasRegistry } from './alias-registry.ts';

const ROW = { id: '7', account_id: 'NORD-105', clearing_firm_code: 'NORD' };

async function codesAfter(text: string): Promise<readonly string[]> {
  const book = await openAliasRegistry({
    store: await openTestStore(),
    key: '5a'.repeat(32),
    scope: 'venue key',
    elapsed: () => 0,
  });
  const body = createBody([Buffer.from(text)]);
  book.add(tryToParseRows({ body, contentType: 'application/json', respondedAt: 0, tag: '"a"' }));
  return book.list('all').map(({ code }) => code);
}

it('has the codes of a page of history', async () => {
  expect(await codesAfter(JSON.stringify({ data: [ROW], pagination: { cursor: null } }))).toEqual(['NORD-105', 'NORD']);
});

it('also has the aliases of earlier keys, after those that new links take', async () => {
  const store = await openTestStore();
  const aliasesWith = async (key: string, earlier: readonly string[] = []) => {
    const book = await openAliasRegistry({
      store,
      key,
      earlierKeys: () => earlier,
      scope: 'venue key',
      elapsed: () => 0,
    });
    book.add([ROW]);
    return book.list('all').map(({ alias }) => alias);
  };
  const [before, after] = [await aliasesWith('a'), await aliasesWith('b')];
  expect(await aliasesWith('b', ['a'])).toEqual([...after, ...before]);
});

it.each(['', '{', '{"data":7}', '{"data":[7]}'])('has none of the unreadable page %j', async (text) => {
  expect(await codesAfter(text)).toEqual([]);
});
