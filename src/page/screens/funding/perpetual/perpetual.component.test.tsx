import { expect, it, vi } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import {
  address,
  expectCount,
  expectText,
  expectToContain,
  exportMenu,
  press,
  textsOf,
} from '#testing/component/screen.ts';
import {
  changePerpetuals,
  changePrints,
  failFunding,
  figureNote,
  focusOn,
  ratesPanel,
  saveLines,
} from '#testing/component/funding-page.ts';

const BTC = '/funding/BTCUC';
const settled = (): Locator => page.getByTestId('last-settled');
const figure = (at: number): Locator => settled().getByRole('button').nth(at);
const chart = (): Locator => page.getByRole('application', { name: /BTCUC funding, / });
const realised = (): Locator => page.getByRole('table', { name: 'Realised funding' });
const radio = (name: string): Locator => page.getByRole('radio', { name, exact: true });

it('shows who pays in words, the rate in each unit, and both inverted for a long position', async () => {
  await open(`${BTC}?form=interval`);
  await expectText(figure(0), '+0.0100');
  await expectToContain(settled(), 'longs pay shorts');
  await expect.element(page.getByText('+ longs pay shorts', { exact: true })).toBeVisible();
  for (const [form, unit, rate] of [
    ['per day', 'Daily rate % per day', '+0.0300'],
    ['APY', 'APY %, compounded', '+11.57'],
    ['APR, simple', 'APR %, simple', '+10.95'],
  ] as const) {
    await radio(form).click();
    await expectToContain(settled(), unit);
    await expectText(figure(1), rate);
  }
  await radio('Long position').click();
  await expect.element(page.getByText('Long position: + received, − paid', { exact: true })).toBeVisible();
  await expectText(figure(0), '−0.0100');
  await expectText(figure(1), '−10.95');
  await expect.poll(address).toContain('side=long');
});

/** Returns where the text of each cell begins, row by row. */
function textTops(table: Locator): readonly (readonly number[])[] {
  const topOf = (cell: Element): number => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const rects = [...range.getClientRects()].filter(({ height }) => height > 0);
    return Math.round(rects.at(-1)?.top ?? 0);
  };
  return [...table.element().querySelectorAll('tbody tr')].map((row) =>
    [...row.children].filter((cell) => cell.querySelector('meter') === null).map(topOf),
  );
}

it.each(['Realised funding', 'Rate distribution'])('has the cells of a row on one line: %s', async (name) => {
  await open(BTC);
  const table = page.getByRole('table', { name });
  await expect.element(table).toBeVisible();
  for (const tops of textTops(table)) expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(2);
});

it('ranks the latest settled rate among those of its year, and says how, unless it is the interest rate', async () => {
  await open('/funding/ETHUI');
  const percentile = settled().getBySelector('div').filter({ hasText: 'Percentile' }).getByRole('button');
  // Of 1,095 rates, 55 are lower, and only this one is equal.
  await expectText(percentile, '5.1');
  await open(BTC);
  await expectText(percentile, 'at interest rate');
  await focusOn(percentile);
  await press('i');
  await expectToContain(
    page.getByRole('dialog', { name: /^Percentile/ }),
    '95 lower + 901 equal ÷ 2) ÷ 1,095 settled rates of the 365 days',
  );
});

/** The result of compounding −0.023691 % for a year, for the side that receives it and the side that pays it. */
it.each([
  ['market', '−22.85', -0.00023691],
  ['long', '+29.61', 0.00023691],
  ['short', '−22.85', -0.00023691],
] as const)('compounds for the %s what it receives, in header, legend, history and file', async (side, apy, rate) => {
  await open(`/funding/ETHUI?form=apy&side=${side}`);
  await expectText(figure(1), apy);
  await expectToContain(ratesPanel().getByTestId('legend'), apy);
  await expectText(
    page.getByRole('grid', { name: 'Funding history' }).getBySelector('[role=gridcell][data-column="form"]').first(),
    apy,
  );
  const { lines } = await saveLines(exportMenu('rates'));
  expect(Number(lines.at(-1)?.['settled_rate_apy_percent'])).toBeCloseTo(((1 + rate) ** 1_095 - 1) * 100, 6);
});

it('shows the coverage of each window, and a distribution that adds up to the charted rates', async () => {
  await open(BTC);
  await expectCount(realised().getByRole('row'), 5);
  await expectToContain(realised().getByRole('row').filter({ hasText: '90 d' }), '270 of 270');
  const distribution = page.getByRole('table', { name: 'Rate distribution' });
  const countRates = (): number =>
    textsOf(distribution.getBySelector('tbody td:nth-child(3)')).reduce((sum, text) => sum + Number(text), 0);
  await expect.poll(countRates).toBe(90);
});

it('has room for long figures at 1440 px', async () => {
  // A sum of a thousand percent over 90 days, more than any real history.
  await open(BTC, {
    change: changePrints('BTCUC', (prints) => prints.map((print) => ({ ...print, funding_rate: -0.0374 }))),
  });
  await expectToContain(realised().getByRole('row').filter({ hasText: '90 d' }), '−1,009.8000');
  const box = page.getByRole('group', { name: 'Realised funding' }).element();
  expect(box.scrollWidth - box.clientWidth).toBe(0);
});

it('withholds USD prices where the published tick size is wrong, and shows ticks', async () => {
  await open('/funding/SHBUN');
  await expect.element(page.getByText('USD prices withheld.')).toBeVisible();
  await expect.poll(() => textsOf(settled()).join().replaceAll(/\s+/g, ' ')).toContain('Index at last funding ticks');
});

it('restores every choice from its address', async () => {
  const names = ['90d', 'APY', 'Short position', 'Short'];
  await open(BTC);
  for (const name of names) await radio(name).click();
  await expect
    .poll(() => Object.fromEntries(new URL(location.href).searchParams))
    .toMatchObject({ range: '90d', form: 'apy', side: 'short' });
  const to = page.getByRole('region', { name: 'BTCUC current funding' }).getByRole('link', { name: 'Price' });
  await expect.element(to).toHaveAttribute('href', '/price/PBTCUCZ50?range=3M');
  await open(address());
  for (const name of names) await expect.element(radio(name)).toBeChecked();
});

it('shows an error where settled rates cannot be read, and recovers with Try again', async () => {
  const isDown = vi.fn<() => boolean>(() => true);
  await open(BTC, { change: failFunding(isDown) });
  const again = page.getByRole('button', { name: 'Try again' });
  await expect.element(again.first()).toBeVisible();
  await expectCount(chart(), 0);
  isDown.mockReturnValue(false);
  await again.first().click();
  await expect.element(chart()).toBeVisible();
  await expectCount(again, 0);
});

it('keeps the latest data where a refresh fails, and says so', async () => {
  const isDown = vi.fn<() => boolean>(() => false);
  await open(BTC, { change: failFunding(isDown) });
  // Prices are in USD once the tick size has been checked.
  await expect.poll(() => textsOf(settled()).join()).toMatch(/Index at last funding USD\s*[\d,]+\.\d/);
  const known = textsOf(settled());
  isDown.mockReturnValue(true);
  vi.setSystemTime(Date.now() + 35_000);
  window.dispatchEvent(new Event('visibilitychange'));
  await expectToContain(ratesPanel(), 'Stale. Showing the last good data. The connection was refused.');
  await expect.element(chart()).toBeVisible();
  expect(textsOf(settled())).toEqual(known);
  await expectCount(realised().getByRole('row'), 5);
});

it('names the latest settled rate and the time of the last read where the exchange stopped answering', async () => {
  const known = {
    known_to: '2026-08-17T08:00:00.000Z',
    read_at: '2026-08-17T12:20:00.000Z',
    stale_because: 'The exchange refuses the connection.',
  };
  await open(BTC, { change: changePerpetuals((perpetual) => ({ ...perpetual, ...known })) });
  const current = page.getByRole('region', { name: 'BTCUC current funding' });
  await expectToContain(
    current,
    'Stale. Latest settled rate: 2026-08-17 08:00:00 UTC; last read 2026-08-17 12:20:00 UTC. The exchange refuses the connection.',
  );
  await expectToContain(settled(), 'Last funding time');
});

it('shows an empty state for a perpetual that does not exist', async () => {
  await open('/funding/NOSUCH');
  await expect.element(page.getByRole('heading', { name: 'No perpetual “NOSUCH”' })).toBeVisible();
  await expect.element(page.getByText(/^Choose or type another perpetual above/)).toBeVisible();
});

it('shows where its settled rate comes from, by the keyboard', async () => {
  await open(BTC);
  await focusOn(figure(0));
  await press('i');
  for (const words of ['GET /api/desk/funding?base_symbol=BTCUC', 'prints.funding_rate'])
    await expectToContain(figureNote(), words);
});

it('has a moving mean and a cumulative sum of its rates, and hides and shows series by their names', async () => {
  await open(BTC);
  await page.getByRole('button', { name: 'Indicators…' }).click();
  await page.getByRole('button', { name: '+ Moving mean' }).click();
  await page.getByRole('button', { name: '+ Cumulative sum' }).click();
  await press('Escape');
  await expect.poll(address).toBe(`${BTC}?ind=mean%3A21%2Csum`);
  const name = (text: string): Locator => page.getByRole('button', { name: text, exact: true });
  await expect.element(name('Mean 21')).toHaveAttribute('aria-pressed', 'true');
  const panes = chart().getBySelector('tr:has(> td > div > canvas)');
  // Rates with their mean, the sum, prices, the premium and the time axis.
  const count = 5;
  await expect.poll(() => panes.elements().length).toBe(count);
  await name('Cumulative sum').click();
  await name('Premium').click();
  await expect.poll(() => panes.elements().length).toBe(count - 2);
  await expect.poll(address).toBe(`${BTC}?ind=mean%3A21%2Csum&hide=Cumulative+sum%2CPremium`);
});
