import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible, expectToFit } from '#testing/component/looks.ts';
import { open } from '#testing/component/mount.tsx';
import { answerOf } from '#testing/component/past-desk.ts';
import { chart, choice, legend, tableRows } from '#testing/component/price-page.ts';
import { address, expectText, expectToContain, press, textsOf } from '#testing/component/screen.ts';
import { RECORDED_AT } from '#testing/component/recorded-at.ts';

const MINUTE_MS = 60_000;
const ago = (minutes: number): string => new Date(RECORDED_AT - minutes * MINUTE_MS).toISOString();
const TICKS = 25_000;

/** Prices of the hour before the recording: ten minutes of it were not read. */
function observed(begin: string): object {
  const row = { product_id: 5599, settlement_time: null, settlement_price: null, high_price: null, low_price: null };
  const priceOf = (minutes: number, last: number) =>
    ({ read_at: ago(minutes), last_price: last, last_price_time: ago(minutes + 1), ...row }) as const;
  const isNow = Date.parse(begin) > RECORDED_AT - 24 * 60 * MINUTE_MS;
  return {
    ...{ read_to: isNow ? ago(0) : null, every_seconds: 20, gaps: [{ from: ago(40), to: ago(30) }] },
    missing: isNow ? null : 'Market prices were not recorded then.',
    prices: isNow ? [priceOf(60, TICKS), priceOf(50, TICKS + 1), priceOf(30, TICKS + 2)] : [],
  };
}

function answer(target: string) {
  const { pathname, searchParams } = new URL(target, 'http://desk');
  return pathname === '/api/desk/journal/observed'
    ? answerOf(target, observed(searchParams.get('begin_time') ?? ''))
    : null;
}

test('the session in progress is a line of the last prices that were read, with its gap, and earlier ones are a step away', async () => {
  const { requested } = await open('/price/PBTCUCZ50', { answer });
  await expect.element(chart()).toBeVisible();
  await choice('Observed').click();
  await expect.poll(address).toContain('observed=now');
  const drawn = chart(/last prices as observed, in USD/);
  await expect.element(drawn.getBySelector('canvas').first()).toBeVisible();
  await expectToContain(page.getBySelector('main'), 'Observed every 20 s, or more often');
  await expectToContain(page.getBySelector('main'), '1 gap in which nothing was read: left empty.');
  expect(textsOf(legend().getBySelector('dt'))).toEqual(['Read by', 'Last price', 'Traded at', 'First read at']);
  (drawn.element() as HTMLElement).focus();
  // In the gap.
  for (let minute = 0; minute < 35; minute++) await press('ArrowLeft');
  await expectText(legend().getBySelector('dd').nth(1), /^–/);
  await press('End');
  await expectText(legend().getBySelector('dd').nth(1), /^125,010\.00/);
  const asked = requested.filter((target) => target.includes('/journal/observed'));
  expect(asked).toHaveLength(1);
  await page.getByRole('button', { name: 'Previous session' }).click();
  await expectToContain(page.getBySelector('main'), 'Market prices were not recorded then.');
  expect(address()).toMatch(/observed=\d{4}-\d{2}-\d{2}/);
  await page.getByRole('button', { name: 'Next session' }).click();
  await expect.poll(address).toContain('observed=now');
  await expect.element(page.getByRole('button', { name: 'Next session' })).toBeDisabled();
  await expectAccessible();
  await expectToFit(320, 390, 768, 1440);
  await choice('1W').click();
  await expect.poll(address).not.toContain('observed');
  expect(address()).toContain('bars=1W');
});

test('the key of an alert takes the observed price at the crosshair, and says where there is none', async () => {
  await open('/price/PBTCUCZ50?observed=now', { answer });
  const drawn = chart(/last prices as observed, in USD/);
  await expect.element(drawn.getBySelector('canvas').first()).toBeVisible();
  (drawn.element() as HTMLElement).focus();
  for (let minute = 0; minute < 35; minute++) await press('ArrowLeft');
  await press('a');
  await expect.element(page.getByText(/^No alert here: the crosshair is at no price/).first()).toBeVisible();
  await press('End', 'a');
  await expect.poll(address).toMatch(/^\/rules\/new\?product=PBTCUCZ50&price=125010&back=/);
});

test('the observed prices are a table, in which minutes without a reading say so', async () => {
  await open('/price/PBTCUCZ50?observed=now&view=table', { answer });
  await expect.element(tableRows().first()).toBeVisible();
  const rows = textsOf(tableRows());
  expect(rows.filter((row) => row.includes('nothing read')).length).toBeGreaterThan(0);
  // With the tick size of 5 USD.
  await expectText(tableRows().first().getBySelector('td').nth(1), '125,010.00');
});
