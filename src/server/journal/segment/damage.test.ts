import { expect, test } from 'vitest';
import { decodeBlock, encodeBlocks } from './block.ts';
import { openEnvelope, sealEnvelope, UnreadableBlock } from './content.ts';

const rows = Array.from({ length: 30 }, (_, index) => `{"id":"${index}","price":${index * 7},"side":"Bid"}`);
const [block] = encodeBlocks({
  base: rows,
  changes: rows.map((row, index) => ({
    kind: 'changed',
    id: String(index),
    from: 1,
    to: 2,
    row: row.replace('Bid', 'Ask'),
  })),
});
const bytes = block?.bytes ?? new Uint8Array();

function decodeChanged(change: (copy: Uint8Array) => Uint8Array): () => unknown {
  return () => decodeBlock(change(Uint8Array.from(bytes)));
}

test('a byte that is not as written is noticed, wherever it is', () => {
  for (let index = 0; index < bytes.length; index++) {
    for (const bit of [1, 16, 128]) {
      expect(
        decodeChanged((copy) => copy.map((byte, at) => (at === index ? byte ^ bit : byte))),
        `byte ${index}`,
      ).toThrow(UnreadableBlock);
    }
  }
});

test('a block that is cut short or too long is noticed', () => {
  for (let length = 0; length < bytes.length; length++)
    expect(decodeChanged((copy) => copy.subarray(0, length))).toThrow(UnreadableBlock);
  expect(decodeChanged((copy) => Buffer.concat([copy, Buffer.of(0)]))).toThrow(
    'The block is damaged or cut short: its checksum is wrong.',
  );
});

test('a later format says so', () => {
  expect(decodeChanged((copy) => copy.fill(4, 0, 1))).toThrow(
    'The block has format 4; this version of Perpdesk reads formats up to 3.',
  );
});

test('content that is no block, though its checksum is right, is refused', () => {
  const { content } = openEnvelope(bytes, 3);
  for (let length = 0; length < content.length; length++) {
    expect(() => decodeBlock(sealEnvelope(content.subarray(0, length), 3, 3)), `${length} bytes`).toThrow(
      UnreadableBlock,
    );
  }
  expect(() => decodeBlock(sealEnvelope(Buffer.concat([content, Buffer.of(0)]), 3, 3))).toThrow(UnreadableBlock);
});
