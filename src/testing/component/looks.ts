import { commands, page } from 'vitest/browser';
import { expect } from 'vitest';

declare module 'vitest/browser' {
  interface BrowserCommands {
    scan: (part: string, coloursOnly: boolean) => Promise<readonly string[]>;
  }
}

/**
 * Expects the page, or the part that a selector matches, to break no accessibility rule in either theme. Themes differ
 * only in colours.
 */
export async function expectAccessible(part = 'html'): Promise<void> {
  expect(await commands.scan(part, false)).toEqual([]);
  await inDark(async () => {
    expect(await commands.scan(part, true)).toEqual([]);
  });
}

/** Shows the open page at each width and expects none to be wider than the window. */
export async function expectToFit(...widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await page.viewport(width, 900);
    await expect.poll(() => document.documentElement.scrollWidth, { message: `at ${String(width)} px` }).toBe(width);
  }
}

async function inDark(show: () => Promise<void>): Promise<void> {
  const { dataset } = document.documentElement;
  const { theme } = dataset;
  dataset['theme'] = 'dark';
  await show();
  if (theme === undefined) delete dataset['theme'];
  else dataset['theme'] = theme;
}
