import { expect, test, vi } from 'vitest';
import { resetView } from './chart-keys.ts';
import { createCursor } from './cursor.ts';
import { wholeOf } from './view-window.ts';

test('to see all again is to see all bars, fitted to their values, with none pointed at', () => {
  const drawing = { view: () => ({ from: 2, to: 7 }), setView: vi.fn(), fitValues: vi.fn(), point: vi.fn(), colorOf: vi.fn(), toCanvas: vi.fn() };
  const cursor = createCursor();
  cursor.set(3);
  resetView({ drawing, cursor, count: 10 });
  expect(drawing.setView).toHaveBeenCalledWith(wholeOf(10));
  expect(drawing.fitValues).toHaveBeenCalledOnce();
  expect(cursor.read()).toBeNull();
});
