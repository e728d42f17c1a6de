import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { changing, stale } from '#testing/component/change-answers.ts';
import { open } from '#testing/component/mount.tsx';
import { returnAfter } from '#testing/component/return-after.ts';
import { expectCount } from '#testing/component/screen.ts';

const chart = page.getByRole('application');

it('of a chart that is first drawn while its data are stale are those of its legend', async () => {
  let isStale = true;
  await open('/price/PBTCUCZ50?range=3M', {
    change: changing(/\/charts\/price\//, (answer) => (isStale ? stale(answer) : answer)),
  });
  const dimmed = page.getBySelector('[data-stale=true]').filter({ has: chart });
  await expect.element(dimmed).toBeVisible();
  await expect.element(chart.getBySelector('canvas').first()).toBeVisible();
  isStale = false;
  returnAfter(65_000);
  await expectCount(dimmed, 0);
  // The outline of the session in progress.
  await expect.poll(() => countPixels(document.body, '--accent')).toBeGreaterThan(20);
});

it('of each series of a chart are those of its legend', async () => {
  await open('/price/PBTCUCZ50?range=3M');
  // Those of volume have the colours of both directions, and their columns are faint.
  const swatches = page.getBySelector('i[style*="--swatch: var"]');
  // Settlement and open interest.
  await expectCount(swatches, 2);
  for (const swatch of swatches.elements())
    await expect.poll(() => countPixels(swatch, '--swatch')).toBeGreaterThan(100);
});

/** Counts the chart’s pixels in the colour that a token has at a place on the page. */
function countPixels(place: Element, token: string): number {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  place.append(probe);
  const wanted = getComputedStyle(probe).color.match(/\d+/g)?.slice(0, 3).map(Number) ?? [];
  probe.remove();
  let count = 0;
  for (const canvas of chart.element().querySelectorAll('canvas')) {
    if (canvas.width === 0) continue;
    const { data = new Uint8ClampedArray() } =
      canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
    for (let at = 0; at < data.length; at += 4)
      if (wanted.every((part, index) => data[at + index] === part) && data[at + 3] === 255) count += 1;
  }
  return count;
}
