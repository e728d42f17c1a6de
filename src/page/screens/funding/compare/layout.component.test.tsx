import { expect, it } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import { address, expectCount, exportMenu, press, textsOf } from '#testing/component/screen.ts';
import { compared, focusOn, rows } from '#testing/component/funding-page.ts';

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
  await focusOn(exportMenu('table'));
  await press('Tab');
  await expect.element(compared()).toHaveFocus();
  await press('Space');
  await expect.poll(address).toContain('pick=ADAUK');
  await expect.element(page.getByRole('checkbox', { name: 'Chart ADAUK' })).toBeChecked();
  await press('ArrowRight', 'ArrowRight', 'Enter');
  await expect.poll(address).toBe('/funding/ADAUK?range=7d');
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
  await expect.poll(address).toBe('/funding/XRPUH?range=7d');
});

it('has all ranks, percentile, predicted rate and the APR of windows in the first screen, in a table as high as its rows', async () => {
  await open('/funding');
  for (const seen of [
    rows().last().getBySelector('[data-column="rank"]'),
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

it('begins its rows in the first third of a phone’s screen, each with name, rank and the figure ranked by', async () => {
  await open('/funding?range=90d', { size: [390, 844] });
  await expect.element(rows().first()).toBeVisible();
  expect(compared().element().getBoundingClientRect().y).toBeLessThan(844 / 3);
  for (const column of ['symbol', 'rank', 'rate-90d'])
    await expect.element(rows().first().getBySelector(`[data-column="${column}"]`)).toBeInViewport({ ratio: 1 });
});

it.each([
  ['/funding?range=24h', 'rate-24h'],
  ['/funding?rank=stability', 'deviation'],
  ['/funding?rank=predicted', 'estimate-form'],
  ['/funding?rank=rate&form=interval', 'settled'],
  ['/funding?rank=zscore', 'zscore'],
])('has the figure that rows are ranked by beside the rank: %s', async (path, column) => {
  await open(path);
  const heads = () =>
    compared()
      .getByRole('columnheader')
      .elements()
      .filter((head) => head.hasAttribute('data-pin'))
      .map((head) => head.getAttribute('data-column'));
  await expect.poll(() => heads().slice(-2)).toEqual(['rank', column]);
});

it('keeps toolbar and column heads in view while the page scrolls', async () => {
  await open('/funding', { size: [1_440, 500] });
  const main = page.getByRole('main').element();
  main.scrollTop = 400;
  const [bar, rank] = [page.getByRole('heading', { level: 1, name: 'Funding' }), head(/^Rank/)];
  await expect.element(bar).toBeInViewport({ ratio: 1 });
  await expect.element(rank).toBeInViewport({ ratio: 1 });
  expect(rank.element().getBoundingClientRect().y).toBeGreaterThanOrEqual(bar.element().getBoundingClientRect().bottom);
});

it('filters by text and by watchlist, and says how many match', async () => {
  const lists = [{ id: 'majors', name: 'Majors', products: [5_614, 5_608] }];
  localStorage.setItem('perpdesk.watchlists', JSON.stringify({ version: 1, lists }));
  await open('/funding?sort=symbol');
  const symbols = () => textsOf(rows().getByRole('link'));
  await press('/');
  await userEvent.keyboard('ltc');
  await expect.poll(symbols).toEqual(['LTCUS']);
  await expect.element(page.getByRole('main').getByText('1 of 17 perpetuals')).toBeVisible();
  await press('Escape');
  await page.getByLabelText('Watchlist').selectOptions('★ Majors');
  await expect.poll(symbols).toEqual(['BTCUC', 'ETHUI']);
  await page.getByRole('searchbox').fill('ltc');
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expectCount(rows(), 17);
});
