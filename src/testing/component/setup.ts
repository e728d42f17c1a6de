import { afterEach, beforeEach, expect, vi } from 'vitest';
import { locators, page, type Locator } from 'vitest/browser';
import { DESKTOP } from './mount.tsx';

declare module 'vitest/browser' {
  interface LocatorSelectors {
    /** For what has no role and no name of its own, such as the cell of a column. */
    getBySelector: (selector: string) => Locator;
  }
}

locators.extend({ getBySelector: (selector: string) => `css=${selector}` });

const complaints = vi.fn<(...args: unknown[]) => void>();

/** A page stays open for many tests: each begins with nothing stored or pointed at, and none may leave a complaint in the console. */
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  complaints.mockClear();
  vi.spyOn(console, 'error').mockImplementation(complaints);
  vi.spyOn(console, 'warn').mockImplementation(complaints);
});

afterEach(async () => {
  vi.restoreAllMocks();
  // The pointer stays where it is when the page changes.
  await page.getBySelector('body').hover({ position: { x: 0, y: 0 }, force: true });
  await page.viewport(...DESKTOP);
  expect(complaints.mock.calls).toEqual([]);
});
