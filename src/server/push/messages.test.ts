import { expect, test } from 'vitest';
import { createCursors, toMessage, toNamedCursor, toSmallMessage } from './messages.ts';

test('a frame keeps no more memory than its own bytes', async () => {
  for (const { plain, packed } of [await toMessage('event: delta\n\n'), toSmallMessage(':\n\n')]) {
    expect([plain.buffer.byteLength, packed.buffer.byteLength]).toEqual([plain.byteLength, packed.byteLength]);
  }
});

const nameIn = (text: string): string => /^id: (.*)$/m.exec(text)?.[1] ?? '';

test('a cursor is known to those who may see the same, and to a desk that was told of it', () => {
  const [here, there] = [createCursors(() => 1), createCursors(() => 1)];
  const cursor = here.next();
  const name = nameIn(cursor.frameFor('own').plain.toString());
  expect([here.toTick(name, 'own'), here.toTick(name, 'all'), there.toTick(name, 'own')]).toEqual([
    cursor.tick,
    null,
    null,
  ]);
  there.commit(toNamedCursor(cursor.tick, cursor.id));
  expect(there.toTick(name, 'own')).toBe(cursor.tick);
});

test('ticks grow with each epoch, whatever a desk knows of the one before', () => {
  let epoch = 1;
  const [here, other] = [createCursors(() => epoch), createCursors(() => 2)];
  const first = here.next().tick;
  const later = other.next().tick;
  expect(here.next().tick).toBeGreaterThan(first);
  expect(later).toBeGreaterThan(here.next().tick);
  here.commit(toNamedCursor(later, 'a'));
  here.commit(toNamedCursor(first, 'b'));
  expect(here.current().tick).toBe(later);
  epoch = 3;
  expect(here.next().tick).toBeGreaterThan(other.next().tick);
});
