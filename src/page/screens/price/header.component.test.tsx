import { expect, it, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import { address, expectCount, expectText, expectToContain, press, textsOf } from '#testing/component/screen.ts';
import { chart, header, openPrice } from '#testing/component/price-page.ts';

const facts = (symbol = 'PBTCUCZ50'): Locator => header(symbol).getBySelector('dl > div');
const factOf = (name: string): Locator => facts().filter({ has: page.getByText(new RegExp(`^${name}`)) });

it('has last price, settlement, volume, open interest and funding, each with its time', async () => {
  await openPrice();
  const shown = textsOf(facts()).map((text) => text.replaceAll(/\s+/g, ' '));
  expect(shown.slice(0, -1)).toEqual([
    'Last USD 109,235.00',
    'Chg since settle USD / % −960.00 / −0.87',
    'Settlement USD 110,195.00 16 Aug 2026',
    'Settlement change USD / % +1,080.00 / +0.99 vs. 15 Aug 2026',
    '24 h volume contracts / USD 4,113 / 4,543,999',
    'Open interest contracts / USD 9,685 / 10,567,788 as of 15 Aug 2026',
    'Last funding % per 8 h +0.0100 8 h to 2026-08-17 08:00 UTC',
    'Predicted rate % per 8 h +0.0100 as of 2026-08-17 12:30 UTC',
    'Index at last funding USD 110,119.90 2026-08-17 08:00 UTC',
    'Mark at last funding USD 110,070.00 2026-08-17 08:00 UTC',
    'Premium at last funding bp −4.53 2026-08-17 08:00 UTC',
  ]);
  // The exchange's clock is half a second ahead.
  expect(shown.at(-1)).toMatch(/^Next funding in h:m:s 3:(?:30:00|29:\d\d) 2026-08-17 16:00 UTC$/);
  (factOf('Last funding').getByRole('button').element() as HTMLElement).focus();
  await press('i');
  await expectToContain(page.getByRole('dialog'), 'longs pay shorts');
});

it('has the last funding that Funding has', async () => {
  await open('/funding/BTCUC');
  const settled = (name: string): Locator =>
    page
      .getByTestId('last-settled')
      .getBySelector('div')
      .filter({ has: page.getByText(new RegExp(`^${name}`)) })
      .getByRole('button');
  for (const [name, figure] of [
    ['Settled rate', '+0.0100'],
    ['Index at last funding', '110,119.90'],
    ['Mark at last funding', '110,070.00'],
    ['Premium', '−4.53'],
  ] as const)
    await expectText(settled(name), figure);
});

it('costs the requests of Funding, and none for a product that is no perpetual', async () => {
  const ofFunding = (requested: readonly string[]): readonly string[] =>
    requested.filter((target) => target.includes('/funding-rates/')).toSorted();
  expect(ofFunding((await openPrice()).requested)).toEqual([
    '/api/funding-rates/?product_id=5614',
    '/api/funding-rates/estimated/BTCUC',
  ]);
  const { requested } = await open('/price/BUSQ26');
  await expect.element(chart(/BUSQ26/)).toBeVisible();
  expect(ofFunding(requested)).toEqual([]);
});

it('fits two lines on a wide window; on a phone the main figures fit one, and the others follow on request', async () => {
  const lines = (): number =>
    new Set(
      header()
        .getBySelector('dt')
        .elements()
        .filter((each) => each.checkVisibility())
        .map((each) => Math.round(each.getBoundingClientRect().top)),
    ).size;
  await openPrice();
  await expect.poll(lines).toBe(2);
  await page.viewport(360, 900);
  await expect.poll(lines).toBe(1);
  (page.getByRole('button', { name: 'All 12 figures' }).element() as HTMLElement).focus();
  await press('Enter');
  await expect.poll(address).toBe('/price/PBTCUCZ50?figures=all');
  await expect.element(page.getByRole('button', { name: 'Fewer figures' })).toHaveAttribute('aria-expanded', 'true');
  await expect.poll(lines).toBe(6);
});

test.each([390, 360])('at %i px the chart begins in the first half of the screen', async (width) => {
  await openPrice('', { size: [width, 844] });
  expect(chart().element().getBoundingClientRect().y).toBeLessThan(422);
});

it('has n/a, with the reason, where the tick size check fails; settlements stay, which need none', async () => {
  await open('/price/PSHBUNZ50');
  await expectToContain(
    header('PSHBUNZ50').getByRole('note'),
    'Not available. Last, Chg since settle, Index at last funding, Mark at last funding: The published tick size, 0.000002 USD, gives',
  );
  const figureOf = (name: RegExp): Locator => facts('PSHBUNZ50').filter({ hasText: name }).getByRole('button').first();
  await expectText(figureOf(/^Mark at last funding/), 'n/a');
  await expectText(figureOf(/^Settlement USD/), /^0\.0000\d+$/);
  await expectCount(header('PSHBUNZ50').getByText('session of 17 Aug 2026'), 1);
});
