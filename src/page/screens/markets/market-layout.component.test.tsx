// Tests how Markets looks on a phone, while scrolling, and in the price palettes.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { grid, openMarkets } from '#testing/component/markets-page.ts';

const phone = { size: [390, 800] } as const;

test('pinned columns stay while the others scroll below them', async () => {
  await openMarkets('/', phone);
  const leftOf = (column: string): number =>
    grid().getBySelector(`[role=gridcell][data-column="${column}"]`).first().element().getBoundingClientRect().x;
  const before = { symbol: leftOf('symbol'), change: leftOf('changePercent') };
  grid().element().scrollLeft = 60;
  await expect
    .poll(() => ({ symbol: leftOf('symbol'), change: leftOf('changePercent') }))
    .toEqual({ symbol: before.symbol, change: before.change - 60 });
});

test('on a phone the header of the change is not cut off, even when sorted', async () => {
  await openMarkets('/?sort=-changePercent', { size: [360, 740] });
  const head = page
    .getByRole('columnheader', { name: /^Since settle/ })
    .first()
    .element();
  await document.fonts.ready;
  const box = head.getBoundingClientRect();
  // Truncated text has boxes beyond the header.
  const texts = [...head.querySelectorAll('[data-part=title], [data-part=arrow], [data-part=unit]')].map((text) =>
    text.getBoundingClientRect(),
  );
  expect(texts).toHaveLength(3);
  for (const text of texts) {
    expect(text.left).toBeGreaterThanOrEqual(box.left);
    expect(text.top).toBeGreaterThanOrEqual(box.top);
    expect(text.bottom).toBeLessThanOrEqual(box.bottom);
  }
});

test.each(['green-red', 'blue-orange', 'red-green', 'mono'])(
  'a direction has its sign and arrow in the palette %s',
  async (palette) => {
    localStorage.setItem('perpdesk.preferences', JSON.stringify({ version: 1, palette }));
    await openMarkets('/?type=perpetual&sort=-changePercent&q=dollar+kilo');
    const cells = grid().getBySelector('[role=gridcell][data-column="changePercent"]').elements();
    // The arrow is drawn before the sign; it is neither read out nor copied.
    const shown = cells.map((cell) => `${getComputedStyle(cell, '::before').content} ${cell.textContent}`);
    expect(shown[0]).toMatch(/^"▲ " \/ "" \+\d+\.\d{2}$/);
    for (const text of shown) expect(text).toMatch(/^("▲ " \/ "" \+\d+\.\d{2}|"▼ " \/ "" −\d+\.\d{2}|none (0\.00|–))$/);
  },
);
