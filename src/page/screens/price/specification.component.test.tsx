import { expect, it } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { changing, toBody, unreachable } from '#testing/component/change-answers.ts';
import { open, type Change } from '#testing/component/mount.tsx';
import { address, expectCount, expectText, expectToContain, press } from '#testing/component/screen.ts';
import { header } from '#testing/component/price-page.ts';

const OPTION = 'BUSU26-C80000';
const FUTURE_ID = 15_056;

interface Product {
  readonly product_id: number;
  readonly price_increment: number;
}

const main = page.getByRole('main');
const panel = page.getByRole('region', { name: /, specification$/ });

/** Returns a figure of the specification by its name. */
function figureOf(name: RegExp): Locator {
  return panel
    .getBySelector('div:has(> dt)')
    .filter({ has: page.getBySelector('dt').filter({ hasText: name }) })
    .getBySelector('dd button')
    .first();
}

/** Presses the key that shows the provenance of a figure. */
async function ask(figure: Locator): Promise<void> {
  await expect.element(figure).toBeVisible();
  (figure.element() as HTMLElement).focus();
  await press('i');
}

function withDirectory(change: (products: readonly Product[]) => readonly unknown[], more: object = {}): Change {
  return changing(
    /\/desk\/products/,
    toBody((body: { readonly products: readonly Product[] }) => ({
      ...body,
      ...more,
      products: change(body.products),
    })),
  );
}

it.each([
  ['Price', '/price/'],
  ['Volume', '/volume/'],
])('%s says when a contract expires, what an option is on and the legs of a spread', async (_, screen) => {
  await open(`${screen}BUSQ26`);
  await expect
    .element(main.getByRole('button', { name: 'expires 28 Aug 2026, 21:00 UTC, in 11 days', exact: true }))
    .toBeVisible();
  await open(`${screen}${OPTION}`);
  // 16,000 ticks of 5 USD.
  await expect.element(main.getByRole('button', { name: 'strike 80,000 USD' })).toBeVisible();
  await expectToContain(main, 'call on BUSU26, strike');
  await open(`${screen}BUSQ26-BUSV26`);
  await expectToContain(main, 'legs +1 BUSQ26, −1 BUSV26');
  await main.getByRole('link', { name: 'BUSQ26', exact: true }).click();
  await expect.poll(address).toBe('/price/BUSQ26');
});

it('says that a perpetual does not expire, and its header has no date', async () => {
  await open('/price/PBTCUCZ50?spec=open');
  await ask(figureOf(/^Expiry/));
  await expectToContain(page.getByRole('dialog', { name: 'Expiry: –' }), 'A perpetual does not expire.');
  await expectCount(header().getByText(/expires/), 0);
});

it('opens by keyboard, is part of the address, and reads nothing', async () => {
  const { requested } = await open(`/price/${OPTION}`);
  await expect.element(page.getByRole('button', { name: 'strike 80,000 USD' })).toBeVisible();
  const before = new Set(requested);
  const toggle = page.getByRole('button', { name: 'Specification' });
  (toggle.element() as HTMLElement).focus();
  await press('Enter');
  await expect.element(toggle).toHaveAttribute('aria-expanded', 'true');
  await expect.poll(address).toBe(`/price/${OPTION}?spec=open`);
  for (const [name, text] of [
    [/^Contract size/, '1 BTC'],
    [/^Tick size/, '5'],
    [/^Tick value/, '5'],
    [/^Session opens/, '19:00'],
    [/^Session settles/, '16:00'],
    [/^First trading day/, '29 Jun 2026'],
    [/^Days to expiry/, '39'],
  ] as const)
    await expectText(figureOf(name), text);
  await ask(figureOf(/^Strike/));
  const tooltip = page.getByRole('dialog', { name: /^Strike: / });
  await expectToContain(tooltip, 'ticks of the underlying product');
  await expectToContain(tooltip, 'Tick size check');
  // Every screen reads the header's alerts and saved items a second after it opens.
  expect(requested.filter((target) => !before.has(target) && !/\/desk\/(?:alerts|saved)/.test(target))).toEqual([]);
  await press('Escape');
  await toggle.click();
  await expectCount(panel, 0);
  expect(address()).toBe(`/price/${OPTION}`);
});

it('withholds a strike, on Markets too, where the tick size of its underlying fails the check', async () => {
  const change = withDirectory((products) =>
    products.map((product) =>
      product.product_id === 15_120 ? { ...product, price_increment: product.price_increment * 1_000 } : product,
    ),
  );
  await open(`/price/${OPTION}`, { change });
  const strike = page.getByRole('button', { name: 'strike n/a' });
  await ask(strike);
  await expectToContain(page.getByRole('dialog', { name: /^Strike/ }), 'times the exchange’s own USD');
  localStorage.setItem(
    'perpdesk.markets.layout',
    JSON.stringify({
      version: 1,
      order: ['favourite', 'symbol', 'strike', 'underlying'],
      hidden: [],
      widths: {},
      pinned: { start: ['favourite', 'symbol'], end: [] },
    }),
  );
  await open(`/?q=${OPTION}&type=option`, { change });
  await expectText(page.getBySelector('[role=gridcell][data-column="strike"]').first(), 'n/a');
});

it('says so where the exchange offers no specifications, and shows what is known', async () => {
  await open(`/price/${String(FUTURE_ID)}?spec=open`, {
    change: withDirectory((products) => products.map(({ product_id }) => ({ product_id })), {
      source: 'learnt from other answers',
    }),
  });
  await expectToContain(panel, 'The exchange offers no product specifications.');
  await expectText(figureOf(/^Product ID/), String(FUTURE_ID));
  await ask(figureOf(/^Expiry/));
  await expectToContain(
    page.getByRole('dialog', { name: 'Expiry: –' }),
    'Not in the exchange’s specification of this product.',
  );
});

it('is missing where the directory does not list the product', async () => {
  await open(`/price/${String(FUTURE_ID)}?spec=open`, {
    change: withDirectory((products) => products.filter(({ product_id }) => product_id !== FUTURE_ID)),
  });
  await expect.element(page.getByRole('heading', { name: 'No specification' })).toBeVisible();
});

it('offers to try again where the directory cannot be read', async () => {
  await open(`/price/${String(FUTURE_ID)}?spec=open`, { change: changing(/\/desk\/products/, unreachable) });
  await expect.element(panel.getByRole('button', { name: 'Try again' })).toBeVisible();
});
