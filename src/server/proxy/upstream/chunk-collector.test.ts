import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Body } from '#server/core/body.ts';
import { createChunkCollector } from './chunk-collector.ts';

function collect(chunks: readonly Buffer[]): Body {
  const collector = createChunkCollector();
  for (const chunk of chunks) collector.add(chunk);
  expect(collector.length()).toBe(Buffer.concat(chunks).byteLength);
  return collector.finish();
}

test('a body equals its chunks', () => {
  const someChunk = fc.oneof(fc.nat(9), fc.nat(9_000)).map((length) => Buffer.alloc(length, `${String(length)},`));
  fc.assert(
    fc.property(fc.array(someChunk), (chunks) => {
      expect(collect(chunks).whole()).toEqual(Buffer.concat(chunks));
    }),
  );
});

test('large chunks are not copied', () => {
  const chunks = [Buffer.alloc(65_536, 'a'), Buffer.alloc(65_536, 'b')];
  expect(collect(chunks).pieces).toEqual(chunks);
  expect(collect(chunks).pieces[0]).toBe(chunks[0]);
});

test('a body that arrives byte by byte is joined into few pieces', () => {
  const bytes = Array.from({ length: 20_000 }, (_, index) => Buffer.from([index % 256]));
  expect(collect(bytes).pieces.length).toBeLessThan(10);
});
