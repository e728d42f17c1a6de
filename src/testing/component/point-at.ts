import { onTestFinished } from 'vitest';
import { page, type Locator } from 'vitest/browser';

/** Points at a place of an element, in pixels from its corner, until the test is over: the pointer stays when the page changes. */
export async function pointAt(element: Locator, x: number, y: number): Promise<void> {
  onTestFinished(() => page.getBySelector('body').hover({ position: { x: 0, y: 0 }, force: true }));
  await element.hover({ position: { x, y } });
}
