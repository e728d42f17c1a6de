import { afterEach, beforeEach, expect, vi } from 'vitest';
import { locators, page, type Locator } from 'vitest/browser';
import { DESKTOP } from './mount.tsx';

declare module 'vitest/browser' {
  interface LocatorSelectors {
    /** Finds elements that have no role and no name of their own, such as the cell of a column. */
    getBySelector: (selector: string) => Locator;
  }
}

locators.extend({ getBySelector: (selector: string) => `css=${selector}` });

const complaints = vi.fn<(...args: unknown[]) => void>();

/**
 * A page stays open for many tests. Each test begins with nothing stored or pointed at, and must leave no complaint in
 * the console.
 */
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  complaints.mockClear();
  vi.spyOn(console, 'error').mockImplementation(complaints);
  vi.spyOn(console, 'warn').mockImplementation(complaints);
});

afterEach(async () => {
  vi.restoreAllMocks();
  // The pointer stays in place when the page changes.
  await page.getBySelector('body').hover({ position: { x: 0, y: 0 }, force: true });
  await page.viewport(...DESKTOP);
  expect(complaints.mock.calls).toEqual([]);
});
