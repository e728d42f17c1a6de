import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCursorText, toNextCursor, type Cursor } from './paging.ts';

const cursor = (text: string): Cursor => text as Cursor;
const page = (next: Cursor | null | undefined, rows = 1) => ({
  data: Array.from({ length: rows }, () => ({})),
  pagination: next === undefined ? {} : { cursor: next },
});

test('a new cursor after a page with rows leads to the next page', () => {
  expect(toNextCursor(page(cursor('b')), [null, cursor('a')])).toBe('b');
  expect(toNextCursor(page(cursor('b')), [null])).toBe('b');
  expect(toNextCursor(page(cursor('b')), [])).toBe('b');
});

test.each([
  ['an absent cursor', page(undefined)],
  ['a null cursor', page(null)],
  ['an empty cursor', page(cursor(''))],
  ['the cursor that was sent', page(cursor('YQ=='))],
  ['a cursor that was sent earlier', page(cursor('Yg=='))],
  ['the cursor that was sent, percent-encoded this time', page(cursor('YQ%3D%3D'))],
  ['an empty page, whatever its cursor', page(cursor('b'), 0)],
])('%s ends the data', (_, last) => {
  expect(toNextCursor(last, [null, cursor('Yg=='), cursor('YQ==')])).toBeNull();
});

test('the end is detected for a venue that encodes its cursors', () => {
  expect(toNextCursor(page(cursor('YQ%3D%3D')), [null, cursor('YQ%3D%3D')])).toBeNull();
  expect(toNextCursor(page(cursor('YQ%3D%3D')), [null, cursor('YQ==')])).toBeNull();
  expect(toNextCursor(page(cursor('Yg%3D%3D')), [null, cursor('YQ%3D%3D')])).toBe('Yg%3D%3D');
});

test('paging ends for any cursors, even cyclic ones', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.constantFrom('a', 'b', 'c')), (cursors) => {
      const sent: (Cursor | null)[] = [null];
      for (const next of cursors) {
        const following = toNextCursor(page(cursor(next)), sent);
        if (following === null) break;
        sent.push(following);
      }
      expect(new Set(sent).size).toBe(sent.length);
      expect(sent.length).toBeLessThanOrEqual(4);
    }),
  );
});

test('a cursor has the same text whether sent encoded or plain', () => {
  fc.assert(
    fc.property(fc.base64String({ minLength: 1 }), (text) => {
      expect(toCursorText(cursor(text))).toBe(text);
      expect(toCursorText(cursor(encodeURIComponent(text)))).toBe(text);
    }),
  );
});

test('a cursor with invalid percent-encoding stays unchanged', () => {
  expect(toCursorText(cursor('100%'))).toBe('100%');
  expect(toCursorText(cursor('%zz'))).toBe('%zz');
});
