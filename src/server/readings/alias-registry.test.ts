import { expect, it } from 'vitest';
import { createBody } from '#server/core/body.ts';
import { openTestStore } from '#testing/server-store/test-store.ts';
import { openAliasRegistry } from './alias-registry.ts';

const ROW = { id: '7', account_id: 'NORD-105', clearing_firm_code: 'NORD' };

async function codesAfter(text: string): Promise<readonly string[]> {
  const book = await openAliasRegistry({ store: await openTestStore(), key: '5a'.repeat(32), scope: 'venue key' });
  const body = createBody([Buffer.from(text)]);
  book.addHistory({ body, contentType: 'application/json', respondedAt: 0, tag: '"a"' });
  return book.list('all').map(({ code }) => code);
}

it('has the codes of a page of history', async () => {
  expect(await codesAfter(JSON.stringify({ data: [ROW], pagination: { cursor: null } }))).toEqual(['NORD-105', 'NORD']);
});

it.each(['', '{', '{"data":7}', '{"data":[7]}'])('has none of the unreadable page %j', async (text) => {
  expect(await codesAfter(text)).toEqual([]);
});
