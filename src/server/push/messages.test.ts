import { expect, test } from 'vitest';
import { createSealedTexts } from '#server/core/sealed-texts.ts';
import { createCursors, type SharedCursors, toMessage, toNamedCursor, toSmallMessage } from './messages.ts';

test('a frame keeps no more memory than its own bytes', async () => {
  for (const { plain, packed } of [await toMessage('event: delta\n\n'), toSmallMessage(':\n\n')]) {
    expect([plain.buffer.byteLength, packed.buffer.byteLength]).toEqual([plain.byteLength, packed.byteLength]);
  }
});

const names = createSealedTexts('secret', 'live');
const shared = (epoch: () => number): SharedCursors => ({ epoch, names });
const nameIn = (text: string): string => /^id: (.*)$/m.exec(text)?.[1] ?? '';

test('a cursor is known to those who may see the same, and to a desk that was told of it', () => {
  const [here, there] = [createCursors(shared(() => 1)), createCursors(shared(() => 1))];
  const cursor = here.next();
  const name = nameIn(cursor.frameFor('own').plain.toString());
  const { tick } = cursor;
  expect([here.find(name, 'own'), here.find(name, 'all')]).toEqual([{ tick, isKnown: true }, null]);
  expect(there.find(name, 'own')).toEqual({ tick, isKnown: false });
  there.commit(toNamedCursor(cursor.tick, cursor.id, names));
  expect(there.find(name, 'own')).toEqual({ tick, isKnown: true });
  expect(createCursors().find(name, 'own')).toBeNull();
});

test('ticks grow with each epoch, whatever a desk knows of the one before', () => {
  let epoch = 1;
  const [here, other] = [createCursors(shared(() => epoch)), createCursors(shared(() => 2))];
  const first = here.next().tick;
  const later = other.next().tick;
  expect(here.next().tick).toBeGreaterThan(first);
  expect(later).toBeGreaterThan(here.next().tick);
  here.commit(toNamedCursor(later, 'a', names));
  here.commit(toNamedCursor(first, 'b', names));
  expect(here.current().tick).toBe(later);
  epoch = 3;
  expect(here.next().tick).toBeGreaterThan(other.next().tick);
});
