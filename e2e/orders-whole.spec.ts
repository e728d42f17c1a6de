import { expect, type Page } from '@playwright/test';
import { openOrders, orderGrid, readWorking, textsInSight, withDesk } from './orders-desk.ts';
import { takeShot } from './take-shot.ts';

const many = withDesk(['--working', '12000']);

// Over a thousand frames are drawn, each in the time that the machine needs for it.
many.setTimeout(180_000);

many(
  'twelve thousand orders are read in parts, and scroll from the first to the last, each once and in order',
  async ({ page }) => {
    await openOrders(page, '?beside=proof&cols=id,side');
    await expect(page.locator('footer')).toContainText('12,000 of 12,000 shown');
    const { parts, complete, orders } = await readWorking(page);
    expect(complete).toBe(true);
    // Orders are read by type and, on days when one type has too many, also by product.
    expect(parts.length).toBeGreaterThan(1);
    const check = page.getByRole('complementary', { name: 'Completeness check' });
    await expect(check).toContainText(`Complete, ${String(parts.length)} parts`);
    await expect(check).toContainText('Sum over parts12,000');
    await takeShot(page, 'orders-12000-proof-light-1280');
    const ids = orders.map(({ id }) => BigInt(id)).sort((a, b) => (a < b ? 1 : -1));
    await orderGrid(page).focus();
    await page.keyboard.press('Control+End');
    await expect.poll(async () => (await textsInSight(page, 'id')).at(-1)).toBe(String(ids.at(-1)));
    await page.keyboard.press('Control+Home');
    await expect.poll(async () => (await textsInSight(page, 'id'))[0]).toBe(String(ids[0]));
    expect(await scrollThrough(page)).toEqual(ids.map(String));
  },
);

/**
 * Returns the id of each line from the first to the last, screen by screen; both ids if two screens differ on a line.
 */
function scrollThrough(page: Page): Promise<readonly string[]> {
  return orderGrid(page).evaluate(async (grid) => {
    const lines = new Map<number, Set<string>>();
    const note = (): void => {
      for (const row of grid.querySelectorAll('[role=row]')) {
        const id = row.querySelector('[role=gridcell][data-column="id"]')?.textContent;
        const line = Number(row.getAttribute('aria-rowindex'));
        if (id !== undefined && line > 1) lines.set(line, (lines.get(line) ?? new Set()).add(id));
      }
    };
    for (let before = -1; before !== grid.scrollTop;) {
      note();
      before = grid.scrollTop;
      grid.scrollTop += grid.clientHeight * 0.8;
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
    }
    return [...lines].sort(([a], [b]) => a - b).map(([, ids]) => [...ids].join(' '));
  });
}
