import { expect, test } from 'vitest';
import { createAnnouncer } from './live-region.tsx';

function start() {
  const said: string[] = [];
  const pauses: (() => void)[] = [];
  const announce = createAnnouncer(
    ({ text, urgent }) => said.push(urgent ? `${text}!` : text),
    (step) => pauses.push(step),
  );
  return { said, announce, pause: () => pauses.shift()?.() };
}

test('announces the first message at once, and the last of those during the pause', () => {
  const { said, announce, pause } = start();
  for (const text of ['one', 'two', 'three']) announce(text);
  expect(said).toEqual(['one']);
  pause();
  expect(said).toEqual(['one', 'three']);
  pause();
  announce('four');
  expect(said).toEqual(['one', 'three', 'four']);
});

test('a message after a pause starts its own pause', () => {
  const { said, announce, pause } = start();
  announce('one');
  announce('two');
  pause();
  announce('three');
  expect(said).toEqual(['one', 'two']);
  pause();
  expect(said).toEqual(['one', 'two', 'three']);
});

test('a pending urgent message comes first, and is replaced only by another urgent one; the other message is not lost', () => {
  const { said, announce, pause } = start();
  announce('one');
  announce('stale', true);
  announce('two');
  pause();
  expect(said).toEqual(['one', 'stale!']);
  announce('incomplete', true);
  announce('stale again', true);
  pause();
  expect(said).toEqual(['one', 'stale!', 'stale again!']);
  pause();
  expect(said).toEqual(['one', 'stale!', 'stale again!', 'two']);
});
