import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCachedListWriter } from './response.ts';

type Writer = ReturnType<typeof createCachedListWriter>;

async function chunksOf(write: Writer, texts: readonly string[]): Promise<readonly Uint8Array[]> {
  const body = write(texts);
  const chunks: Uint8Array[] = [];
  if ('chunks' in body) for await (const chunk of body.chunks) chunks.push(chunk);
  return chunks;
}

const readBack = async (write: Writer, texts: readonly string[]) =>
  JSON.parse(Buffer.concat(await chunksOf(write, texts)).toString()) as unknown;

const rowsUpTo = (count: number) => Array.from({ length: count }, (_, i) => `{"row":${count - i}}`);
const parsed = (texts: readonly string[]) => texts.map((text) => JSON.parse(text) as unknown);

it.each([0, 1, 249, 250, 251, 20_000, 25_001])(
  'writes %i texts as one list, and the same list again',
  async (count) => {
    const write = createCachedListWriter();
    const texts = rowsUpTo(count);
    for (let time = 0; time < 2; time += 1) expect(await readBack(write, texts)).toEqual(parsed(texts));
  },
);

it('never returns an earlier state of a list, whatever was changed, inserted or removed', async () => {
  const edit = fc.record({
    at: fc.nat(700),
    remove: fc.nat(3),
    insert: fc.array(fc.constantFrom('"ü"', '1', '{}'), { maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { maxLength: 8 }), async (edits) => {
      const write = createCachedListWriter();
      const texts = rowsUpTo(600);
      for (const { at, remove, insert } of edits) {
        texts.splice(at, remove, ...insert);
        expect(await readBack(write, texts)).toEqual(parsed(texts));
      }
    }),
    { numRuns: 50 },
  );
});

it('writes only the changed chunks again: inserting in front leaves the others as they are', async () => {
  const write = createCachedListWriter();
  const before = await chunksOf(write, rowsUpTo(1_000));
  const after = await chunksOf(write, ['"new"', ...rowsUpTo(1_000)]);
  const isKept = after.map((slice) => before.includes(slice));
  // The first chunk has the opening bracket and the last one the closing bracket: both are copied.
  expect(isKept).toEqual([false, false, true, true, false]);
});
