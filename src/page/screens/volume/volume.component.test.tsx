import { expect, it } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import {
  address,
  expectCount,
  expectText,
  expectToContain,
  exportAs,
  fileSavedBy,
  press,
  textsOf,
} from '#testing/component/screen.ts';

const chart = page.getByRole('application');
const legend = page.getByTestId('legend');
const tooltip = page.getByRole('dialog');
const rows = page.getByRole('table', { name: /volume and open interest in/ }).getBySelector('tbody tr');
const choice = (name: string): Locator => page.getByRole('radio', { name, exact: true });
const cells = (column: number): readonly string[] => textsOf(rows.getBySelector(`td:nth-child(${String(column)})`));

async function openTable(query: string): Promise<void> {
  await open(`/volume?${query}&range=1M&view=table`);
  await expect.element(rows.first()).toBeVisible();
}

/** Presses the key that shows the provenance of a figure. */
async function ask(figure: Locator): Promise<void> {
  await expect.element(figure).toBeVisible();
  (figure.element() as HTMLElement).focus();
  await press('i');
}

it('shows volume and open interest of a product, and of which day it is; a session without open interest is a gap, not zero', async () => {
  await openTable('product=PBTCUCZ50');
  await expect
    .element(page.getByText('Open interest: daily, published the next morning, Chicago time; latest 15 Aug 2026.'))
    .toBeVisible();
  await expect.element(page.getByText('Open interest not published for 4 Aug 2026.')).toBeVisible();
  expect(rows.elements()).toHaveLength(31);
  expect(
    textsOf(rows)
      .slice(0, 2)
      .map((text) => text.split('\t')),
  ).toEqual([
    ['16 Aug 2026', '4,310', '–'],
    ['15 Aug 2026', '2,812', '9,685'],
  ]);
  expect(cells(1).filter((_, index) => cells(3)[index] === '–')).toEqual(['16 Aug 2026', '4 Aug 2026']);
});

it('sums all expiries of a series in one request to the exchange, one click away', async () => {
  const { requested } = await open('/volume/BUSQ26?range=1M');
  await page.getByRole('button', { name: 'All expiries of BUS' }).click();
  await expect.poll(address).toBe('/volume?range=1M&series=BUS');
  await expect.element(page.getByText(/^Total of \d+ products, summed by the exchange\./)).toBeVisible();
  const ofVolume = requested
    .filter((target) => target.includes('/charts/voi'))
    .map((target) => target.split('product_id=').length - 1);
  expect(ofVolume.filter((products) => products > 1)).toHaveLength(1);
  history.back();
  await expect.poll(address).toBe('/volume/BUSQ26?range=1M');
});

it('leads to the prices of the product over the same dates', async () => {
  await open('/volume/BUSQ26?range=1M&unit=usd');
  const link = page.getByRole('main').getByRole('link', { name: 'Price', exact: true });
  await expect.element(link).toHaveAttribute('href', '/price/BUSQ26?range=1M');
});

it('removes an added product again, by keyboard too', async () => {
  await open('/volume/BUSQ26,BUSU26,PBTCUCZ50?range=1M');
  const chips = page.getByRole('list', { name: 'Products' }).getByRole('button');
  await expectCount(chips, 3);
  await page.getByRole('button', { name: 'Remove BUSU26' }).click();
  await expectCount(chips, 2);
  await expect.element(page.getByRole('button', { name: 'Remove PBTCUCZ50' })).toHaveFocus();
  expect(chips.first().element().getBoundingClientRect().height).toBeGreaterThanOrEqual(24);
  await press('Enter');
  await expect.poll(address).toBe('/volume/BUSQ26?range=1M');
  await expectCount(chips, 0);
  await expect.element(page.getByRole('button', { name: 'Add product' })).toHaveFocus();
  history.back();
  await expectCount(chips, 2);
});

it('stacks products that add up to the exchange’s total', async () => {
  await openTable('series=BUS');
  const [days, volumes] = [cells(1), cells(2)];
  await choice('Stacked').click();
  const heads = page.getByRole('table').getByRole('columnheader');
  await expectToContain(heads.last(), 'Open interest, total');
  const column = textsOf(heads).findIndex((name) => name.startsWith('Volume, total'));
  expect([cells(1), cells(column + 1)]).toEqual([days, volumes]);
});

it('keeps the dates of a table in sight that is too wide for the screen, each on one line', async () => {
  await open('/volume?series=BUS&as=stacked&range=1M&view=table', { size: [390, 844] });
  const [date, last] = [rows.first().getBySelector('td').first(), rows.first().getBySelector('td').last()];
  await expect.element(date).toBeInTheDocument();
  last.element().scrollIntoView({ inline: 'end' });
  await expect.element(last).toBeInViewport();
  await expect.element(date).toBeInViewport({ ratio: 1 });
  const cell = date.element();
  expect(cell.clientHeight).toBeLessThan(2 * Number.parseFloat(getComputedStyle(cell).lineHeight));
});

it('has unit, bars and range in the address, and the bars shown in the CSV', async () => {
  await open('/volume/PBTCUCZ50');
  for (const name of ['USD', '1W', '3M']) await choice(name).click();
  await expect.poll(address).toBe('/volume/PBTCUCZ50?unit=usd&bars=1W&range=3M');
  await open(address());
  for (const name of ['USD', '1W', '3M']) await expect.element(choice(name)).toBeChecked();
  const { text } = await fileSavedBy(() => exportAs('CSV, with sources'));
  const [head, ...lines] = text.split('\r\n').slice(0, -1);
  expect(head).toMatch(/^date,last_session_date,bar,/);
  // Weeks from that of 17 May to that of 16 August, the last session.
  expect(lines).toHaveLength(14);
  for (const line of lines) expect(line).toMatch(/^[\d-]+,[\d-]+,computed 1W,PBTCUCZ50,/);
});

it('has the scales of Price, by Alt+L too; a stack has none', async () => {
  await open('/volume?series=BUS&range=1M');
  await expect.element(chart).toBeVisible();
  const scale = page.getByRole('group', { name: 'Scale' });
  await scale.getByRole('radio', { name: '%' }).click();
  await expect.poll(address).toBe('/volume?series=BUS&range=1M&scale=percent');
  await expect
    .element(page.getByText('Open interest: percent change from 17 Jul 2026. Volume: absolute.'))
    .toBeVisible();
  await press('Alt+l');
  await expect.element(scale.getByRole('radio', { name: 'Log' })).toBeChecked();
  await choice('Stacked').click();
  await expect.element(page.getByText(/products, stacked\./)).toBeVisible();
  await expectCount(scale, 0);
  await press('Alt+l');
  expect(address()).toBe('/volume?series=BUS&range=1M&scale=log&as=stacked');
  await press('?');
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect.element(shortcuts.getByText('Show the whole range')).toBeVisible();
  await expectCount(shortcuts.getByText('Toggle logarithmic scale'), 0);
});

it('has the provenance of the legend’s figures: each product’s own response, and a total computed here', async () => {
  await open('/volume?series=BUS&as=stacked&range=1M');
  const figureOf = (name: string): Locator =>
    legend.getBySelector('div').filter({ hasText: name }).getBySelector('dd button').first();
  await ask(figureOf('Total'));
  await expectToContain(tooltip, 'Sum of 6 products.');
  await press('Escape');
  await ask(figureOf('BUSQ26'));
  await expectToContain(tooltip, 'product_id=15056');
  await expectToContain(tooltip, 'volume');
});

it('names the product of a series that expires next, with the days left; perpetuals name none', async () => {
  await open('/volume?series=BUS&range=1M');
  const panel = page.getByRole('region', { name: 'All expiries of BUS, volume and open interest' });
  await expectToContain(panel, 'Next expiry: BUSQ26');
  await expect.element(panel.getByRole('link', { name: 'BUSQ26' })).toHaveAttribute('href', '/price/BUSQ26?range=1M');
  const expiry = panel.getByRole('button', { name: /expires/ });
  await expectText(expiry, 'expires 28 Aug 2026, 21:00 UTC, in 11 days');
  await ask(expiry);
  await expectToContain(tooltip, 'final_settle_time');
});

it('says that contracts of different sizes are added, and offers USD instead', async () => {
  const notice = page.getByRole('note').filter({ hasText: 'Contracts of different sizes' });
  await open('/volume/PBTCUCZ50,PETHUIZ50?range=1M');
  await expectToContain(notice, '0.5 ETH');
  await expectCount(page.getByText('Next expiry'), 0);
  await notice.getByRole('button', { name: 'Show USD' }).click();
  await expect.poll(() => decodeURIComponent(address())).toBe('/volume/PBTCUCZ50,PETHUIZ50?range=1M&unit=usd');
  await expectCount(notice, 0);
  await open('/volume/PBTCUCZ50?range=1M');
  await expect.element(chart).toBeVisible();
  await expectCount(notice, 0);
});
