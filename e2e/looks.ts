import { expect, test, type Page } from '@playwright/test';
import { expectNoViolation, type ScanOptions } from './expect-no-violation.ts';

export interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

/** How long a busy machine may take to scan a look. */
const LOOK_MS = 20_000;

type Size = readonly [width: number, height: number];

/** Shows the open page at each size in both themes: loading it again for each look would take most of the time. */
export async function inEachLook(
  page: Page,
  sizes: readonly Size[],
  show: (look: Look) => Promise<void>,
): Promise<void> {
  // The test gets the time of as many tests as there are looks.
  test.setTimeout(test.info().timeout + sizes.length * 2 * LOOK_MS);
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await test.step(`in the ${colorScheme} theme at ${String(width)} px`, () => show({ colorScheme, width }));
    }
  }
}

/**
 * Expects the page to be as wide as the window, once scripts have laid it out. A page that is not is reported, and its
 * other looks are still tested.
 */
export async function expectToFit(page: Page, { colorScheme, width }: Look): Promise<void> {
  const expectSoftly = expect.configure({ soft: true, timeout: 5_000 });
  await expectSoftly
    .poll(() => page.evaluate(widthOfPage), `width of the page, ${colorScheme}, ${String(width)} px`)
    .toBe(width);
}

async function widthOfPage(): Promise<number> {
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
  return document.documentElement.scrollWidth;
}

/**
 * Expects the look to break no accessibility rule. Themes differ only in colours, and `tokens.test.ts` tests each ink
 * on each surface. So one scan in the dark theme suffices for what that test does not know: opacity and mixed colours.
 * A wide window has nothing that a desktop lacks.
 */
export async function expectAccessible(
  page: Page,
  { colorScheme, width }: Look,
  options: Omit<ScanOptions, 'coloursOnly'> = {},
): Promise<void> {
  const isPhone = width < 700;
  const isDark = colorScheme === 'dark';
  if (width > 2_000 || (isPhone && isDark)) return;
  await expectNoViolation(page, { ...options, coloursOnly: isDark });
}
