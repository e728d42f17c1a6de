import { expect, it } from 'vitest';
import { page, type Locator } from 'vitest/browser';
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
import { expectAccessible, expectToFit } from '#testing/component/looks.ts';
import { mount, recordedAnswer } from '#testing/component/mount.tsx';
import { changing, unreachable } from '#testing/component/change-answers.ts';
import { watchLabels } from '#testing/component/watch-labels.ts';
import { legend, openPrice, openTable, tableRows } from '#testing/component/price-page.ts';

const FROM = '?range=3M';
/** Responds with recorded settled rates that begin earlier than those that this range needs. */
const rates = async (target: string) =>
  target.startsWith('/api/desk/funding?base_symbol=BTCUC')
    ? await recordedAnswer('/api/desk/funding?base_symbol=BTCUC&begin_time=2026-04-28T00%3A00%3A00Z')
    : null;
const dialog = (): Locator => page.getByRole('dialog', { name: 'Indicators' });
const add = async (name: string): Promise<void> =>
  dialog()
    .getByRole('button', { name: `+ ${name}` })
    .click();
const lastCells = (): readonly string[] => textsOf(tableRows().last().getBySelector('td'));
const entry = (name: string): Locator =>
  legend()
    .getBySelector('div')
    .filter({ has: page.getByText(name, { exact: true }) });
// By its selector, since a dialog hides the rest of the page from roles.
const panes = (): Locator => page.getBySelector('[role=application] tr:has(> td > div > canvas)');
/** Prices, volume, open interest and the time axis. */
const PANES = 4;

it('are added, changed and removed in a dialog that a key opens, and each change shows at once', async () => {
  await openPrice(FROM);
  await expect.poll(() => panes().elements().length).toBe(PANES);
  await press('Alt+i');
  await add('Simple moving average');
  await expect.poll(address).toContain('ind=sma%3A20');
  await expect.element(entry('SMA 20')).toBeVisible();
  await dialog().getByRole('textbox', { name: 'Bars' }).fill('10');
  await expect.element(entry('SMA 10')).toBeVisible();
  await add('Relative strength index');
  await expect.poll(() => panes().elements().length).toBe(PANES + 1);
  await expect.poll(address).toContain('ind=sma%3A10%2Crsi%3A14');
  await dialog().getByRole('button', { name: 'Remove Simple moving average' }).click();
  await expectCount(entry('SMA 10'), 0);
  await press('Escape');
  await expectCount(dialog(), 0);
  await expect.element(page.getByRole('button', { name: 'Indicators (1)…' })).toBeVisible();
});

it('have panes with their names, units and several labels, high enough to be read', async () => {
  const labels = watchLabels();
  await openPrice(`${FROM}&ind=rsi:14,macd:12:26:9,funding,premium`, { answer: rates, size: [1440, 900] });
  await expect.poll(() => panes().elements().length).toBe(PANES + 4);
  const heights = (): readonly number[] =>
    panes()
      .elements()
      .slice(PANES - 1, -1)
      .map((pane) => pane.getBoundingClientRect().height);
  await expect.poll(() => Math.min(...heights())).toBeGreaterThanOrEqual(70);
  for (const title of ['RSI 14, 0 to 100', 'MACD 12/26/9, USD', 'Funding, % per bar', 'Premium, bp'])
    await expect.poll(labels).toContain(title);
  const ofFunding = () => new Set(labels().filter((text) => /^[+−]?0\.\d{4}$/.test(text)));
  await expect.poll(() => ofFunding().size).toBeGreaterThan(1);
});

it('are drawn when they are added again, even if they were hidden when they were removed', async () => {
  await openPrice(`${FROM}&ind=rsi:14&hide=Settlement,RSI+14`);
  await press('Alt+i');
  await dialog().getByRole('button', { name: 'Remove Relative strength index' }).click();
  await expect.poll(address).toBe(`/price/PBTCUCZ50${FROM}`);
});

it('keep what was valid last while a mistake is named', async () => {
  await openPrice(`${FROM}&ind=sma:20,macd:12:26:9`);
  await press('Alt+i');
  const bars = dialog().getByRole('textbox', { name: 'Bars', exact: true });
  await bars.fill('401');
  await expect.element(dialog().getByText('Bars must be a whole number from 2 to 400.')).toBeVisible();
  await expect.element(bars).toHaveAttribute('aria-invalid', 'true');
  await dialog().getByRole('textbox', { name: 'Fast bars' }).fill('26');
  await expect.element(dialog().getByText('The fast average must have fewer bars than the slow one.')).toBeVisible();
  await expect.poll(address).toContain('ind=sma%3A20%2Cmacd%3A12%3A26%3A9');
});

it('have values, computations and switches in the legend, and say which of the address are not shown', async () => {
  await openPrice(`${FROM}&ind=bb:20:2,rsi:14,vwap`);
  await expectText(
    entry('Bollinger 20 × 2'),
    /upper [\d,.]+ USD\s+middle [\d,.]+ USD\s+lower [\d,.]+ USD · 16 Aug 2026$/,
  );
  await expect.element(page.getByText('No indicator “vwap” on this chart.')).toBeVisible();
  (entry('RSI 14').getBySelector('dd button').element() as HTMLElement).focus();
  await press('i');
  const tooltip = page.getByRole('dialog');
  await expectToContain(tooltip, '100 × average rise ÷ (average rise + average fall)');
  await expectToContain(tooltip, '730 settled bars, 17 Aug 2024 to 16 Aug 2026');
  await expectToContain(tooltip, 'settlementPrice');
  await press('Escape');
  await expect.poll(() => panes().elements().length).toBe(PANES + 1);
  await page.getByRole('button', { name: 'RSI 14', exact: true }).click();
  await expect.poll(() => panes().elements().length).toBe(PANES);
  await expect.poll(address).toContain('hide=Settlement%2CRSI+14');
});

it('are columns of the table and of the file', async () => {
  await openTable('from=2026-06-18&to=2026-07-08&ind=sma:20,bb:20:2');
  const table = page.getByRole('table', { name: /PBTCUCZ50/ });
  await expectText(table.getBySelector('thead th').last(), /Bollinger 20 × 2 lower/);
  const last = textsOf(table.getBySelector('tbody tr').last().getBySelector('td')).at(-1);
  expect(last).toMatch(/^[\d,]+\.\d\d$/);
  const { text } = await fileSavedBy(() => exportAs('CSV, figures only'));
  const [head = '', ...lines] = text.split('\r\n').slice(0, -1);
  expect(head.split(',').slice(-4)).toEqual([
    'sma_20_usd',
    'bollinger_20_2_upper_usd',
    'bollinger_20_2_middle_usd',
    'bollinger_20_2_lower_usd',
  ]);
  expect(lines).toHaveLength(21);
  expect(lines.filter((line) => !/(,\d{5,6}(\.\d+)?){4}$/.test(line))).toEqual([]);
});

it('are the same at a bar whatever the range, also at its first bar, for one more reading of the history', async () => {
  const history = (targets: readonly string[]) => targets.filter((target) => target.includes('begin_time=2001')).length;
  const rowsOf = async (range: string): Promise<readonly (readonly string[])[]> => {
    const { requested } = await openTable(`range=${range}&ind=sma:20,rsi:21,macd:12:26:9`);
    await expect.poll(() => lastCells().length).toBeGreaterThan(12);
    expect(history(requested)).toBe(2);
    return [0, 1, 5, 28].map((place) => textsOf(tableRows().nth(place).getBySelector('td')).slice(-5));
  };
  const month = await rowsOf('1M');
  expect(month.flat().filter((text) => !/^[−\d]/.test(text))).toEqual(['–', '–', '–', '–', '–']);
  expect(month).toEqual(await rowsOf('6M'));
  const { requested } = await openPrice(FROM);
  expect(history(requested)).toBe(0);
});

it('wait for the whole history while the chart does not, and say why if it fails', async () => {
  const { promise, resolve } = Promise.withResolvers<null>();
  const change = changing(/charts\/voi.*begin_time=2001/, async (answer) => {
    await promise;
    return unreachable(answer);
  });
  mount(`/price/PBTCUCZ50${FROM}&ind=sma:20`, { change });
  await expect
    .element(page.getByText('Indicators are shown once the whole history of the product is loaded.'))
    .toBeVisible();
  await expect.element(entry('Settlement')).toBeVisible();
  resolve(null);
  await expect
    .element(page.getByText('No indicators, because the whole history is not loaded: The connection was refused.'))
    .toBeVisible();
  await expectCount(entry('SMA 20'), 0);
});

it('of a perpetual can be its funding and its premium, of which a bar has those of its session', async () => {
  await openPrice(`${FROM}&ind=funding,premium`, { answer: rates });
  await expectText(entry('Funding'), /[+−]0\.\d{4} % per bar/);
  await expectText(entry('Premium'), /[+−]\d+\.\d{2} bp/);
  (entry('Funding').getBySelector('dd button').element() as HTMLElement).focus();
  await press('i');
  await expectToContain(page.getByRole('dialog'), 'Sum of the 3 settled rates of the bar');
});

it('fit a phone and break no accessibility rule, in the chart and in the dialog', async () => {
  await openPrice(`${FROM}&ind=sma:20,macd:12:26:9`);
  await expect.element(entry('SMA 20')).toBeVisible();
  await press('Alt+i');
  await dialog().getByRole('textbox', { name: 'Bars', exact: true }).fill('1');
  await expectToFit(390, 1_440);
  await expectAccessible('[role=dialog]');
  await press('Escape');
  await expectToFit(390, 1_440);
  await expectAccessible('main');
});
