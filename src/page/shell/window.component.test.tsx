import { page, type Locator } from 'vitest/browser';
import { expect, test } from 'vitest';
import { open } from '#testing/component/mount.tsx';
import { expectCount } from '#testing/component/screen.ts';

/** Each screen, with an element that shows that it has been drawn. */
const screens: Readonly<Record<string, () => Locator>> = {
  '/': () => page.getByRole('gridcell').first(),
  '/price/PBTCUCZ50': () => page.getByTestId('legend'),
  '/price/nowhere': () => page.getByRole('heading', { name: 'No product “nowhere”' }),
  '/volume/PBTCUCZ50': () => page.getByTestId('legend'),
  '/funding': () => page.getByTestId('legend').last(),
  '/funding/BTCUC': () => page.getByRole('heading', { name: 'Funding history' }),
  '/orders': () => page.getByRole('gridcell').first(),
  '/orders/history': () => page.getByRole('gridcell').first(),
  '/status': () => page.getByRole('table').last(),
};

/** Returns the window size that would fit the whole page, and the screen's scroll width. */
function sizeOfPage(): object {
  const { scrollWidth, scrollHeight } = document.scrollingElement ?? document.body;
  return { width: scrollWidth, height: scrollHeight, screenWidth: document.querySelector('main')?.scrollWidth };
}

test.each(Object.entries(screens))(
  'the page at %s fits the window: only the content below the header scrolls, and not sideways',
  async (address, drawn) => {
    await open(address, { size: [360, 800] });
    for (const [width, height] of [
      [360, 800],
      [1_440, 900],
    ] as const) {
      await page.viewport(width, height);
      await expect.element(drawn()).toBeVisible();
      await expect
        .poll(sizeOfPage, { message: `at ${String(width)} px` })
        .toEqual({ width, height, screenWidth: width });
    }
  },
);

test.each(['/orders', '/orders/history'])('the prices at %s are fully visible on a phone', async (address) => {
  await open(address, { size: [360, 800] });
  for (const part of [
    page.getByRole('columnheader', { name: 'Price' }),
    page.getBySelector('[role=gridcell][data-column=price]'),
  ])
    await expect.element(part.first()).toBeInViewport({ ratio: 1 });
});

test.each([360, 1_440])(
  'the links between the order lists stay under the pointer in a window of %i px',
  async (width) => {
    await open('/orders', { size: [width, 800] });
    const history = page.getByRole('navigation', { name: 'Order lists' }).getByRole('link', { name: 'History' });
    const place = (): DOMRect => history.element().getBoundingClientRect();
    await expect.element(page.getByText('Complete', { exact: true }).first()).toBeVisible();
    const before = place();
    await history.click();
    await expect.element(history).toHaveAttribute('aria-current', 'page');
    await expectCount(page.getByText(/^Newest rows/), 1);
    expect(place()).toEqual(before);
  },
);
