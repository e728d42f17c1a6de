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
  expect(shown).toEqual([
    'Last USD 109,235.00',
    'Since settlement USD / % −960.00 / −0.87',
    '24 h volume contracts / USD 4,113 / 4,543,999',
    'Open interest contracts / USD 15 Aug 2026 9,685 / 10,567,788',
    'Settlement USD 16 Aug 2026 110,195.00',
    'Change USD / % 15 → 16 Aug 2026 +1,080.00 / +0.99',
    '7 d / 30 d % +9.74 / +4.76',
    'Predicted rate % per 8 h +0.0100',
    'Last rate % per 8 h to 08:00 UTC +0.0100',
    // The exchange's clock is half a second ahead.
    expect.stringMatching(/^Next in h:m:s 16:00 UTC 3:(?:30:00|29:\d\d)$/),
    'Index USD 110,119.90',
    'Mark USD 110,070.00',
    'Premium bp −4.53',
  ]);
  expect(textsOf(header().getBySelector('h3'))).toEqual([
    'Volume and interest',
    'Settlement',
    'Funding',
    expect.stringMatching(/^At 08:00 UTC, 4 h 30 min ago$/),
  ]);
  (factOf('Last rate').getByRole('button').element() as HTMLElement).focus();
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

it('has its groups in one line on a laptop; on a phone the price and the funding, and the others on request', async () => {
  const groups = () =>
    header()
      .getBySelector('dl')
      .elements()
      .filter((each) => each.checkVisibility());
  await openPrice('', { size: [1_440, 900] });
  await expect
    .poll(() => new Set(groups().map((each) => each.parentElement?.getBoundingClientRect().top)).size)
    .toBe(1);
  await page.viewport(390, 900);
  await expect.poll(() => groups().length).toBe(2);
  await expect.element(header().getByText('Predicted rate')).toBeVisible();
  (page.getByRole('button', { name: 'All 13 figures' }).element() as HTMLElement).focus();
  await press('Enter');
  await expect.poll(address).toBe('/price/PBTCUCZ50?figures=all');
  await expect.element(page.getByRole('button', { name: 'Fewer figures' })).toHaveAttribute('aria-expanded', 'true');
  await expect.poll(() => groups().length).toBe(5);
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
  await expectText(figureOf(/^Mark USD/), 'n/a');
  await expectText(figureOf(/^Settlement USD/), /^0\.0000\d+$/);
  await expectCount(header('PSHBUNZ50').getByText('Session of 17 Aug 2026'), 1);
});
