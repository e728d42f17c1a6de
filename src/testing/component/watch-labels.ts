import { vi } from 'vitest';

/** Returns the texts that charts have drawn since, such as the labels of their axes. */
export function watchLabels(): () => readonly string[] {
  const drawn = vi.spyOn(CanvasRenderingContext2D.prototype, 'fillText').mockClear();
  return () => drawn.mock.calls.map(([text]) => text);
}
