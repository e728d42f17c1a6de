import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { UNREACHABLE } from './problem-response.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

// Reading the canvas back makes the browser log a hint.
test.use({ provoked: /willReadFrequently/ });

const run = promisify(execFile);
const BTC = '/funding/BTCUC';
const chart = (page: Page): Locator => page.getByRole('application', { name: /BTCUC funding, / });
const panel = (page: Page): Locator => page.getByRole('region', { name: 'Settled rates' });
const table = (page: Page, name: string): Locator => page.getByRole('table', { name });

test('shows who pays in words, and inverts the signs for a long position', async ({ page }) => {
  await page.goto(`${BTC}?form=interval`);
  const settled = page.getByTestId('last-settled');
  const rate = settled.getByRole('button').first();
  await expect(settled).toContainText(/(longs pay shorts|shorts pay longs|no payment)/);
  await expect(page.getByText('Positive: longs pay shorts', { exact: true })).toBeVisible();
  const before = await rate.innerText();
  await page.getByRole('radio', { name: 'Long position' }).check();
  await expect(page.getByText('Long position: + received, − paid', { exact: true })).toBeVisible();
  await expect(rate).toHaveText(before.startsWith('+') ? before.replace('+', '−') : before.replace('−', '+'));
  await expect(page).toHaveURL(/side=long/);
});

test('the predicted rate is in a box of its own, with the elapsed share and the weight so far', async ({ page }) => {
  await page.goto(BTC);
  const estimate = page.getByTestId('estimate');
  await expect(estimate).toContainText('not settled');
  await expect(estimate).toHaveCSS('border-style', 'dashed');
  const read = async (name: string): Promise<number> => Number.parseFloat(await estimate.locator('div', { hasText: name }).locator('dd').innerText());
  const [elapsed, fixed] = [await read('Elapsed'), await read('Weight so far')];
  expect(fixed).toBeCloseTo(elapsed ** 2 / 100, 0);
  await expect(estimate.locator('time').first()).toHaveText(/^\d:\d\d:\d\d$|^settling$/);
});

test('shows rates per 8 h, per day, as simple APR and as APY', async ({ page }) => {
  await page.goto(BTC);
  const settled = page.getByTestId('last-settled');
  const rates: Record<string, string> = {};
  for (const [form, unit] of [['per day', 'Daily rate % per day'], ['APR, simple', 'APR %, simple'], ['APY', 'APY %, compounded']] as const) {
    await page.getByRole('radio', { name: form, exact: true }).check();
    await expect(settled).toContainText(unit);
    rates[form] = await settled.getByRole('button').nth(1).innerText();
  }
  await page.getByRole('radio', { name: 'per 8 h', exact: true }).check();
  const native = Number((await settled.getByRole('button').first().innerText()).replace('−', '-'));
  expect(Number(rates['per day']?.replace('−', '-'))).toBeCloseTo(native * 3, 3);
  expect(Number(rates['APR, simple']?.replace('−', '-'))).toBeCloseTo(native * 1_095, 0);
});

test('the rate chart exports as CSV and PNG, and is available as a table', async ({ page }) => {
  await page.goto(BTC);
  await expect(chart(page).locator('canvas').first()).toBeVisible();
  await expect(page.getByText('No intervals missing.')).toBeVisible();
  const downloading = page.waitForEvent('download');
  await panel(page).getByRole('button', { name: 'PNG' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^[\w-]+-funding-BTCUC-apr-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d-read-\d{8}T\d{6}Z\.png$/);
  const csv = page.waitForEvent('download');
  await panel(page).getByRole('button', { name: 'CSV', exact: true }).click();
  const lines = (await readFile(await (await csv).path(), 'utf8')).split('\r\n').slice(0, -1);
  expect(lines[0]).toContain('funding_rate,interest_rate,price_index_ticks,mark_price_ticks');
  expect(lines[0]).toMatch(/,side,state,read_at,endpoint,request,answered_at,received_at,age_s,from,request_id$/);
  expect(lines).toHaveLength(91);
  await panel(page).getByRole('button', { name: 'Table', exact: true }).click();
  await expect(table(page, 'BTCUC funding, % APR, simple').getByRole('row')).toHaveCount(92);
});

test('CSV and description of the chart have the sign of the chosen side', async ({ page }) => {
  const files = new Map<string, readonly string[][]>();
  for (const side of ['market', 'long']) {
    await page.goto(`${BTC}?side=${side}`);
    await expect(chart(page)).toHaveAccessibleDescription(side === 'long' ? /per 8 h\. Long position: \+ received, − paid\./ : /per 8 h\. Positive: longs pay shorts\./);
    await expect(page.getByText('No intervals missing.')).toBeVisible();
    const csv = page.waitForEvent('download');
    await panel(page).getByRole('button', { name: 'CSV', exact: true }).click();
    files.set(side, (await readFile(await (await csv).path(), 'utf8')).trimEnd().split('\r\n').map((line) => line.split(',')));
  }
  const column = (side: string, name: string): readonly string[] => {
    const [heading = [], ...lines] = files.get(side) ?? [];
    return lines.map((cells) => cells[heading.indexOf(name)] ?? '');
  };
  expect(new Set(column('long', 'side'))).toEqual(new Set(['long']));
  for (const name of ['funding_rate', 'interest_rate', 'percent_per_8_h']) {
    const turned = column('market', name).map((rate) => (rate === '0' ? '0' : rate.startsWith('-') ? rate.slice(1) : `-${rate}`));
    expect(column('long', name)).toEqual(turned);
  }
});

test('arrow keys move the crosshair, and the legend shows its bar', async ({ page }) => {
  await page.goto(BTC);
  await expect(chart(page).locator('canvas').first()).toBeVisible();
  await chart(page).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  // The legend keeps room for a bar's time, invisible while it is not needed.
  await expect(panel(page).getByTestId('legend')).not.toContainText('in progress', { useInnerText: true });
  await expect(panel(page).getByTestId('legend')).toContainText(/Settled rate\s*[+−]?\d/);
});

test('a figure shows where it comes from, by the keyboard', async ({ page }) => {
  await page.goto(BTC);
  await page.getByTestId('last-settled').getByRole('button').first().focus();
  await page.keyboard.press('i');
  const note = page.getByRole('dialog');
  await expect(note).toContainText('GET /api/desk/funding?base_symbol=BTCUC');
  await expect(note).toContainText('prints.funding_rate');
});

test('figures of legend, history, payments and windows show where they come from', async ({ page }) => {
  await page.goto(BTC);
  const note = page.getByRole('dialog');
  const expectSource = async (figure: Locator, key: string, words: string | RegExp): Promise<void> => {
    await figure.press(key);
    await expect(note).toContainText(words);
    await page.keyboard.press('Escape');
    await expect(note).toBeHidden();
  };
  await chart(page).focus();
  await page.keyboard.press('Home');
  await expectSource(panel(page).getByTestId('legend').getByRole('button').first(), 'i', 'prints.funding_rate');
  await expectSource(table(page, 'Realised funding').getByRole('button').nth(3), 'i', /positive, of 3 of 3 settled rates/);
  const prints = page.getByRole('grid', { name: 'Funding history' });
  await prints.press('ArrowDown');
  await prints.press('ArrowRight');
  await prints.press('ArrowRight');
  // The newest settled rates come from the latest response, not from their page.
  await expectSource(prints, 'i', /GET \/api\/desk\/funding\?base_symbol=BTCUC&begin_time=/);
  const payments = page.getByRole('grid', { name: 'Payments' });
  await payments.press('ArrowDown');
  await payments.press('End');
  await expectSource(payments, 'Control+i', /contracts × .* × price × rate, exact/);
});

test('windows show their coverage, and the distribution adds up to the charted rates', async ({ page }) => {
  await page.goto(BTC);
  await expect(table(page, 'Realised funding').getByRole('row')).toHaveCount(5);
  await expect(table(page, 'Realised funding')).toContainText('270 of 270');
  const counts = () => table(page, 'Rate distribution').locator('tbody td:nth-child(3)').allInnerTexts();
  await expect.poll(async () => (await counts()).map(Number).reduce((sum, count) => sum + count, 0)).toBe(90);
});

test('the funding history has every field and loads more on scrolling', async ({ page }) => {
  await Promise.all([page.waitForResponse(/desk\/funding\?base_symbol=BTCUC&limit=90$/), page.goto(BTC)]);
  const prints = page.getByRole('grid', { name: 'Funding history' });
  await expect(page.getByText(/^90 settled rates loaded/)).toBeVisible();
  const first = page.waitForResponse(/desk\/funding\?base_symbol=BTCUC&cursor=/);
  await prints.scrollIntoViewIfNeeded();
  await prints.evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  await first;
  await expect(page.getByText(/^180 settled rates loaded/)).toBeVisible();
  const headings = await prints.getByRole('columnheader').allInnerTexts();
  for (const name of ['Funding time', 'Interval start', 'Settled rate', 'Interest', 'Index ticks', 'Mark ticks', 'Product']) expect(headings.join(' ').replaceAll(/\s+/g, ' ')).toContain(name);
  expect(await prints.getByRole('row').count()).toBeLessThan(80);
});

test('carry equals the sum of its payments to the last digit, long and short', async ({ page }) => {
  await page.goto(`${BTC}?contracts=7`);
  const sum = page.getByTestId('carry-sum');
  await expect(sum).toContainText('90 of 90');
  const exact = (): Promise<string> => readNote(page, sum.getByRole('button').first(), 'Exact');
  const long = await exact();
  await page.getByRole('radio', { name: 'Short', exact: true }).check();
  await expect.poll(exact).toBe(long.startsWith('-') ? long.slice(1) : `-${long}`);
  const downloading = page.waitForEvent('download');
  await page.getByRole('form', { name: 'Carry' }).getByRole('button', { name: 'CSV', exact: true }).click();
  const [heading = '', ...lines] = (await readFile(await (await downloading).path(), 'utf8')).split('\r\n').slice(0, -1);
  const at = heading.split(',').indexOf('payment_usd');
  const units = lines.map((line) => toUnits(line.split(',')[at] ?? ''));
  expect(units.reduce((total, one) => total + one, 0n)).toBe(toUnits(await exact()));
  await page.getByRole('radio', { name: 'Mark price' }).check();
  await expect(page).toHaveURL(/price=mark_price/);
  await expect(page.getByTestId('carry-estimate')).toContainText('not settled, not in the sum');
});

test('carry with only an end covers the 30 days before it, however long ago', async ({ page }) => {
  const to = new Date(Date.now() - 80 * 86_400_000).toISOString().slice(0, 'YYYY-MM-DD'.length);
  await page.goto(`${BTC}?to=${to}T08:00`);
  await expect(page.getByTestId('carry-sum')).toContainText('90 of 90');
  await expect(page.getByTestId('carry-sum')).not.toContainText(/missing|not read/);
});

/** One fact of a figure's tooltip. */
async function readNote(page: Page, figure: Locator, name: string): Promise<string> {
  await figure.press('i');
  const line = page.getByRole('dialog').locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
  const text = await line.locator('dd').innerText();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  return text;
}

/** A plain decimal as a whole number of 1e-24. */
function toUnits(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(24, '0'));
  return text.startsWith('-') ? -units : units;
}

test('the number of contracts can be cleared and typed again', async ({ page }) => {
  await page.goto(`${BTC}?contracts=1`);
  const contracts = page.getByLabel('Contracts');
  await contracts.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await expect(contracts).toHaveValue('');
  await page.keyboard.type('25');
  await expect(contracts).toHaveValue('25');
  await expect(page).toHaveURL(/contracts=25$/);
});

test('an invalid number of contracts shows an error', async ({ page }) => {
  await page.goto(`${BTC}?contracts=0`);
  await expect(page.getByRole('main')).toContainText('Carry not calculated. Contracts must be a whole number above zero.');
  await expect(page.locator('[aria-live=polite]').filter({ hasText: 'Contracts must be a whole number above zero.' })).toHaveCount(1);
});

test('where the published tick size is wrong, USD prices are withheld and ticks shown', async ({ page }) => {
  await page.goto('/funding/SHBUN');
  await expect(page.getByText('USD prices withheld.')).toBeVisible();
  await expect(page.getByTestId('last-settled')).toContainText('Index at last funding ticks');
  await expect(page.getByRole('main')).toContainText('Carry not calculated.');
});

test('a link restores the screen', async ({ page, context }) => {
  await page.goto(BTC);
  for (const name of ['90d', 'APY', 'Short position', 'Short']) await page.getByRole('radio', { name, exact: true }).check();
  await expect(page).toHaveURL(/range=90d.*form=apy|form=apy.*range=90d/);
  await expect(page).toHaveURL(/hold=short|side=short/);
  const other = await context.newPage();
  await other.goto(page.url());
  for (const name of ['90d', 'APY', 'Short position', 'Short']) await expect(other.getByRole('radio', { name, exact: true })).toBeChecked();
});

test.describe('when the server fails', () => {
  test.use({ provoked: /status of 502/ });

  test('the screen shows an error and recovers with Try again', async ({ page }) => {
    const down = { now: true };
    await page.route(/\/api\/desk\/funding\?/, async (route) => {
      if (down.now) await route.fulfill(UNREACHABLE);
      else await route.continue();
    });
    await page.goto(BTC);
    const again = page.getByRole('button', { name: 'Try again' }).first();
    await expect(again).toBeVisible();
    await expect(chart(page)).toHaveCount(0);
    down.now = false;
    await again.click();
    await expect(chart(page)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  });
});

test.describe('when a refresh fails', () => {
  test.use({ provoked: /status of 502/ });

  test('the error is shown and the latest data stay', async ({ page }) => {
    await page.clock.install();
    await page.goto(BTC);
    const settled = page.getByTestId('last-settled');
    await expect(settled).toContainText('Last funding time');
    // Prices are in USD once the tick size has been checked.
    await expect(settled).toContainText(/Index at last funding USD\s*[\d,]+\.\d/);
    const known = await settled.innerText();
    await page.route(/\/api\/desk\/funding\?/, (route) => route.fulfill(UNREACHABLE));
    await page.clock.runFor(35_000);
    const panel = page.getByRole('region', { name: 'Settled rates' });
    await expect(panel).toContainText('Stale. Showing the last good data. The connection was refused.');
    await expect(chart(page)).toBeVisible();
    await expect(settled).toHaveText(known, { useInnerText: true });
    await expect(table(page, 'Realised funding').getByRole('row')).toHaveCount(5);
  });

  test('a notice names the latest settled rate and the time of the last read', async ({ page }) => {
    const [end, read] = [new Date(Math.floor(Date.now() / 28_800_000) * 28_800_000), new Date(Date.now() - 600_000)];
    const written = (time: Date): string => time.toISOString().slice(0, '2026-11-20T08:00:00'.length).replace('T', ' ');
    await page.route(/\/api\/desk\/funding\?/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text())
        .replaceAll(/"known_to":"[^"]*"/g, `"known_to":"${end.toISOString()}"`)
        .replaceAll(/"read_at":"[^"]*"/g, `"read_at":"${read.toISOString()}"`)
        .replaceAll('"stale_because":null', '"stale_because":"The exchange refuses the connection."');
      await route.fulfill({ response, body });
    });
    await page.goto(BTC);
    const now = page.getByRole('region', { name: 'BTCUC current funding' });
    await expect(now).toContainText(`Stale. Latest settled rate: ${written(end)} UTC; last read ${written(read)} UTC. The exchange refuses the connection.`);
    await expect(now.getByTestId('last-settled')).toContainText('Last funding time');
  });
});

test.describe('an unknown perpetual', () => {
  test.use({ provoked: /404/ });

  test('shows an empty state', async ({ page }) => {
    await page.goto('/funding/NOSUCH');
    await expect(page.getByRole('heading', { name: 'No perpetual “NOSUCH”' })).toBeVisible();
    await expect(page.getByText(/^Choose or type another perpetual above/)).toBeVisible();
  });
});

test('the 90-day APR equals the result of the README’s command, to the last digit', async ({ page, baseURL }) => {
  await page.goto(`${BTC}?form=apr`);
  const apr = table(page, 'Realised funding').getByRole('row').filter({ hasText: '90 d' }).getByRole('button').nth(1);
  await expect(apr).toHaveText(/\d/);
  const shown = await apr.innerText();
  await apr.press('i');
  const exact = await page.getByRole('dialog').getByText(/^-?\d+\.\d{3,} %$/).innerText();
  const readme = await readFile('README.md', 'utf8');
  const [, command = ''] = /```sh\n(curl [^`]*?\/funding-rates\/[^`]*?)\n```/.exec(readme) ?? [];
  const { stdout } = await run('sh', ['-c', command.replace('http://127.0.0.1:8080/', baseURL ?? '')]);
  const [rounded = '', whole = ''] = stdout.trim().split('\n');
  expect(Number(rounded)).toBe(Number(shown.replace('−', '-')));
  expect(Number(whole)).toBeCloseTo(Number(exact.replace(' %', '')), 11);
});

test.describe('at 1440 px', () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test('the realised table has room for long figures', async ({ page }) => {
    // A sum of a thousand percent over 90 days, more than any real history.
    await page.route(/\/api\/desk\/funding\?/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll(/"funding_rate":[^,]+/g, '"funding_rate":-0.0374') });
    });
    await page.goto(BTC);
    const windows = page.getByRole('group', { name: 'Realised funding' });
    await expect(windows.getByRole('row').filter({ hasText: '90 d' })).toContainText('−1,009.8000');
    await expect.poll(() => windows.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  });
});

test('the screen does not scroll sideways in any look and has no accessibility violations', async ({ page }) => {
  // The whole long page is checked: on a busy machine that alone may take more than a minute.
  test.slow();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(BTC);
  await expect(page.getByTestId('estimate')).toBeVisible();
  await inEachLook(page, [[360, 740], [1440, 900], [2560, 1440]], async (look) => {
    await expect(chart(page).locator('canvas').first()).toBeVisible();
    await takeShot(page, `funding-one-${look.colorScheme}-${String(look.width)}`);
    await expectToFit(page, look);
    await expectAccessible(page, look);
  });
});

test.describe('when the first page of the funding history cannot be loaded', () => {
  test.use({ provoked: /status of 502/ });

  test('the table does not claim to be complete, and Try again loads it', async ({ page }) => {
    const first = /\/api\/desk\/funding\?.*limit=90/;
    await page.route(first, (route) => route.fulfill(UNREACHABLE));
    await page.goto(BTC);
    const panel = page.getByRole('region', { name: 'Funding history' });
    await expect(panel).toContainText('0 settled rates loaded. Settled rates could not be loaded: The connection was refused.');
    await expect(panel).not.toContainText('Complete since launch');
    await page.unroute(first);
    await panel.getByRole('button', { name: 'Try again' }).click();
    await expect(panel).toContainText('90 settled rates loaded.');
  });
});
