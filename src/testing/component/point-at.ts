import type { Locator } from 'vitest/browser';

/** Points at a place of an element, in pixels from its corner. */
export async function pointAt(element: Locator, x: number, y: number): Promise<void> {
  await element.hover({ position: { x, y } });
}
