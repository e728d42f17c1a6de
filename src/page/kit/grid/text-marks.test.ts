import { expect, it } from 'vitest';
import { createTextMarks } from './text-marks.ts';

it('cells are written again when the marks change, and without marks they are plain', () => {
  const marks = createTextMarks();
  const element = { textContent: '' } as HTMLElement;
  const watched: (() => void)[] = [];
  let calls = 0;
  const stop = marks.watchBesides((changed) => {
    watched.push(changed);
    return () => undefined;
  })(() => {
    calls += 1;
  });
  marks.write(element, 'plain');
  expect(element.textContent).toBe('plain');
  const marked = ['pl'];
  marks.mark(marked);
  marks.mark(marked);
  watched[0]?.();
  expect(calls).toBe(2);
  stop();
  marks.mark([]);
  expect(calls).toBe(2);
});
