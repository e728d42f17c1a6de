import { expect, test } from 'vitest';
import type { Change } from './segment/change.ts';
import { type PackedStretch, packList } from './journal-store.ts';
import { packInWorker, packStretch } from './pack-stretch.ts';
import { toColumns } from './summary/summary-columns.ts';

const nothing = toColumns({ traits: [], cells: [] });

test('a worker packs as this thread would', async () => {
  const row = (price: number): string => `{"symbol":"BUSZ26","id":"7","price":${String(price)}}`;
  const changes: Change[] = [{ kind: 'changed', id: '7', from: 1, to: 2, row: row(2) }];
  const request = { base: [row(1)], readings: [await packList(changes), await packList([])], summary: nothing };
  const toPlain = ({ blocks, summary }: PackedStretch) => [
    ...blocks.map(({ content, orderKeys }) => ({ orderKeys, content: [...content] })),
    [...summary],
  ];
  expect(toPlain(await packInWorker(request))).toEqual(toPlain(packStretch(request)));
});

test('what a worker cannot pack is an error here', async () => {
  await expect(packInWorker({ base: [], readings: [new Uint8Array([1, 2, 3])], summary: nothing })).rejects.toThrow();
});
