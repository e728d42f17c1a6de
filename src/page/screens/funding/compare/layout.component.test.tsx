import { expect, it } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import { address, expectCount, press, textsOf } from '#testing/component/screen.ts';
import { compared, focusOn, rows } from '#testing/component/funding-page.ts';

const chart = (): Locator => page.getByRole('application', { name: /^Funding: / });
const head = (name: string | RegExp): Locator => page.getByRole('columnheader', { name });

it('remembers hidden columns until they are reset', async () => {
  const change = async (item: Locator): Promise<void> => {
    await page.getByRole('button', { name: 'Columns' }).click();
    await item.click();
    await press('Escape');
  };
  await open('/funding');
  await change(page.getByRole('dialog').getByRole('checkbox', { name: 'Percentile' }));
  await expectCount(head('Percentile'), 0);
  await open('/funding');
  await expectCount(head('Percentile'), 0);
  await change(page.getByRole('button', { name: 'Reset to default' }));
  await expectCount(head('Percentile'), 1);
});

it('selects and opens a perpetual by the keyboard alone', async () => {
  await open('/funding?sort=symbol');
  await focusOn(page.getByRole('button', { name: 'Evidence' }));
  await press('Tab');
  await expect.element(compared()).toHaveFocus();
  await press('Space');
  await expect.poll(address).toContain('pick=ADAUK');
  await expect.element(page.getByRole('checkbox', { name: 'Chart ADAUK' })).toBeChecked();
  await press('ArrowRight', 'ArrowRight', 'Enter');
  await expect.poll(address).toBe('/funding/ADAUK');
});

it('links and checks the perpetual of a row in any sort order', async () => {
  await open('/funding?sort=symbol');
  await head('Perpetual').click();
  await expect.poll(address).toBe('/funding?sort=-symbol');
  await expect.poll(() => textsOf(rows().getByRole('link')).slice(0, 3)).toEqual(['XTZUK', 'XRPUH', 'XLMUK']);
  await page.getByRole('checkbox', { name: 'Chart XRPUH' }).click();
  await expect.poll(address).toMatch(/pick=XRPUH$/);
  await expect.element(rows().nth(1).getByRole('checkbox')).toBeChecked();
  await rows().nth(1).getByRole('link').click();
  await expect.poll(address).toBe('/funding/XRPUH');
});

it('has chart, ranks, percentile, predicted rate and the APR of windows in the first screen, in a table as high as its rows', async () => {
  await open('/funding');
  await expect.element(chart().getBySelector('canvas').first()).toBeVisible();
  for (const seen of [
    chart(),
    rows().nth(9).getBySelector('[data-column="rank"]'),
    head(/^Percentile/),
    head(/^Predicted APR/),
    head(/^30 d APR/),
    head(/^90 d APR/),
  ])
    await expect.element(seen).toBeInViewport({ ratio: 1 });
  const { clientHeight, scrollHeight } = compared().element();
  expect(clientHeight).toBe(40 + 28 * 17);
  expect(scrollHeight).toBeLessThanOrEqual(clientHeight);
});

it('begins its chart in the first half of a phone’s screen', async () => {
  await open('/funding', { size: [390, 844] });
  await expect.element(chart().getBySelector('canvas').first()).toBeVisible();
  expect(chart().element().getBoundingClientRect().y).toBeLessThan(422);
});
