import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { expectNoViolation } from './expect-no-violation.ts';
import { UNREACHABLE } from './problem-response.ts';
import { test } from './watched-page.ts';

// Reading the canvas back makes the browser suggest a way of drawing.
test.use({ provoked: /willReadFrequently/ });

const run = promisify(execFile);
const BTC = '/funding/BTCUC';
const chart = (page: Page): Locator => page.getByRole('application', { name: /BTCUC, funding in/ });
const table = (page: Page, name: string): Locator => page.getByRole('table', { name });

test('1: who pays is said in words; "my side" turns the signs round and says so', async ({ page }) => {
  await page.goto(`${BTC}?form=interval`);
  const settled = page.getByTestId('last-settled');
  const rate = settled.getByRole('button').first();
  await expect(settled).toContainText(/(longs pay shorts|shorts pay longs|nobody pays)/);
  await expect(page.getByText('Positive: longs pay shorts', { exact: true })).toBeVisible();
  const before = await rate.innerText();
  await page.getByRole('radio', { name: 'My side: long' }).check();
  await expect(page.getByText('My side, long: + I receive, − I pay', { exact: true })).toBeVisible();
  await expect(rate).toHaveText(before.startsWith('+') ? before.replace('+', '−') : before.replace('−', '+'));
  await expect(page).toHaveURL(/side=long/);
});

test('2 and 8: the estimate stands apart, outlined, with the share elapsed and the weight that is fixed', async ({ page }) => {
  await page.goto(BTC);
  const estimate = page.getByTestId('estimate');
  await expect(estimate).toContainText('not settled');
  await expect(estimate).toHaveCSS('border-style', 'dashed');
  const read = async (name: string): Promise<number> => Number.parseFloat(await estimate.locator('div', { hasText: name }).locator('dd').innerText());
  const [elapsed, fixed] = [await read('Elapsed'), await read('Weight fixed')];
  expect(fixed).toBeCloseTo(elapsed ** 2 / 100, 0);
  await expect(estimate.locator('time').first()).toHaveText(/^\d:\d\d:\d\d$|^settling$/);
});

test('3: rates are told per 8 h, per day, as simple APR and as APY, each by its name', async ({ page }) => {
  await page.goto(BTC);
  const settled = page.getByTestId('last-settled');
  const rates: Record<string, string> = {};
  for (const [form, unit] of [['per day', '% per day'], ['APR, simple', '% APR, simple'], ['APY', '% APY, compounded']] as const) {
    await page.getByRole('radio', { name: form, exact: true }).check();
    await expect(settled).toContainText(unit);
    rates[form] = await settled.getByRole('button').nth(1).innerText();
  }
  await page.getByRole('radio', { name: 'per 8 h', exact: true }).check();
  const native = Number((await settled.getByRole('button').first().innerText()).replace('−', '-'));
  expect(Number(rates['per day']?.replace('−', '-'))).toBeCloseTo(native * 3, 3);
  expect(Number(rates['APR, simple']?.replace('−', '-'))).toBeCloseTo(native * 1_095, 0);
});

test('4 and 5: prints are drawn with zero and baseline, and can be had as a table, a picture and a file', async ({ page }) => {
  await page.goto(BTC);
  await expect(chart(page).locator('canvas').first()).toBeVisible();
  await expect(page.getByText('No interval is missing.')).toBeVisible();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'PNG' }).click();
  expect((await downloading).suggestedFilename()).toBe('funding-BTCUC-30d.png');
  const csv = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).first().click();
  const lines = (await readFile(await (await csv).path(), 'utf8')).split('\r\n').slice(0, -1);
  expect(lines[0]).toContain('funding_rate,interest_rate,price_index_ticks,mark_price_ticks');
  expect(lines[0]).toMatch(/,side,state,read_at,endpoint,request,answered_at,received_at,age_s,from,request_id$/);
  expect(lines).toHaveLength(91);
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  await expect(table(page, 'BTCUC, funding in % APR, simple').getByRole('row')).toHaveCount(92);
});

test('4: from one’s own side the file and the words of the chart have its sign, and say so', async ({ page }) => {
  const files = new Map<string, readonly string[][]>();
  for (const side of ['market', 'long']) {
    await page.goto(`${BTC}?side=${side}`);
    await expect(chart(page)).toHaveAccessibleDescription(side === 'long' ? /per 8 h\. My side, long: \+ I receive, − I pay\./ : /per 8 h\. Positive: longs pay shorts\./);
    const csv = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).first().click();
    files.set(side, (await readFile(await (await csv).path(), 'utf8')).trimEnd().split('\r\n').map((line) => line.split(',')));
  }
  const column = (side: string, name: string): readonly string[] => {
    const [heading = [], ...lines] = files.get(side) ?? [];
    return lines.map((cells) => cells[heading.indexOf(name)] ?? '');
  };
  expect(new Set(column('long', 'side'))).toEqual(new Set(['long']));
  expect(column('long', 'funding_rate')).toEqual(column('market', 'funding_rate'));
  const turned = column('market', 'percent_per_8_h').map((percent) => (percent === '0' ? '0' : percent.startsWith('-') ? percent.slice(1) : `-${percent}`));
  expect(column('long', 'percent_per_8_h')).toEqual(turned);
});

test('the chart answers to arrows, and tells the bar it stands on', async ({ page }) => {
  await page.goto(BTC);
  await expect(chart(page).locator('canvas').first()).toBeVisible();
  await chart(page).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  // The place of what is told of another bar is kept, unseen.
  await expect(page.getByTestId('legend')).not.toContainText('in progress', { useInnerText: true });
  await expect(page.getByTestId('legend')).toContainText(/Settled\s*[+−]?\d/);
});

test('a figure says where it comes from, to the keyboard too', async ({ page }) => {
  await page.goto(BTC);
  await page.getByTestId('last-settled').getByRole('button').first().focus();
  await page.keyboard.press('i');
  const note = page.getByRole('dialog');
  await expect(note).toContainText('GET /api/desk/funding?base_symbol=BTCUC');
  await expect(note).toContainText('prints.funding_rate');
});

test('figures of the legend, of prints, of payments and of windows say where they come from', async ({ page }) => {
  await page.goto(BTC);
  const note = page.getByRole('dialog');
  const told = async (figure: Locator, key: string, words: string | RegExp): Promise<void> => {
    await figure.press(key);
    await expect(note).toContainText(words);
    await page.keyboard.press('Escape');
    await expect(note).toBeHidden();
  };
  await chart(page).focus();
  await page.keyboard.press('Home');
  await told(page.getByTestId('legend').getByRole('button').first(), 'i', 'prints.funding_rate');
  await told(table(page, 'Realised over windows').getByRole('button').nth(3), 'i', /above zero, of 3 of 3 settled prints/);
  const prints = page.getByRole('grid', { name: 'Settled prints' });
  await prints.press('ArrowDown');
  await prints.press('ArrowRight');
  await prints.press('ArrowRight');
  // The newest prints are as the latest answer has them, and not as the page they were read with.
  await told(prints, 'i', /GET \/api\/desk\/funding\?base_symbol=BTCUC&begin_time=/);
  const payments = page.getByRole('grid', { name: 'Payments' });
  await payments.press('ArrowDown');
  await payments.press('End');
  await told(payments, 'Control+i', /contracts × .* × price × rate, exact/);
});

test('6: windows say k of n; the distribution adds up to the prints shown', async ({ page }) => {
  await page.goto(BTC);
  await expect(table(page, 'Realised over windows').getByRole('row')).toHaveCount(5);
  await expect(table(page, 'Realised over windows')).toContainText('270 of 270');
  const counts = await table(page, 'Distribution of rates').locator('tbody td:nth-child(3)').allInnerTexts();
  expect(counts.map(Number).reduce((sum, count) => sum + count, 0)).toBe(90);
});

test('every field of every print, read on by scrolling to the launch', async ({ page }) => {
  await Promise.all([page.waitForResponse(/desk\/funding\?base_symbol=BTCUC&limit=90$/), page.goto(BTC)]);
  const prints = page.getByRole('grid', { name: 'Settled prints' });
  await expect(page.getByText(/^90 prints read/)).toBeVisible();
  const first = page.waitForResponse(/desk\/funding\?base_symbol=BTCUC&cursor=/);
  await prints.scrollIntoViewIfNeeded();
  await prints.evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  await first;
  await expect(page.getByText(/^180 prints read/)).toBeVisible();
  const headings = await prints.getByRole('columnheader').allInnerTexts();
  for (const name of ['Interval end', 'Interval start', 'Rate', 'Interest', 'Index ticks', 'Mark ticks', 'Product']) expect(headings.join(' ').replaceAll(/\s+/g, ' ')).toContain(name);
  expect(await prints.getByRole('row').count()).toBeLessThan(80);
});

test('9: carry adds up its payments to the last digit, for a long and a short', async ({ page }) => {
  await page.goto(`${BTC}?contracts=7`);
  const sum = page.getByTestId('carry-sum');
  await expect(sum).toContainText('90 of 90');
  const exact = (): Promise<string> => readNote(page, sum.getByRole('button').first(), 'Exact');
  const long = await exact();
  await page.getByRole('radio', { name: 'Short', exact: true }).check();
  await expect.poll(exact).toBe(long.startsWith('-') ? long.slice(1) : `-${long}`);
  const downloading = page.waitForEvent('download');
  await page.getByRole('form', { name: 'Carry' }).getByRole('button', { name: 'CSV' }).click();
  const [heading = '', ...lines] = (await readFile(await (await downloading).path(), 'utf8')).split('\r\n').slice(0, -1);
  const at = heading.split(',').indexOf('payment_usd');
  const units = lines.map((line) => toUnits(line.split(',')[at] ?? ''));
  expect(units.reduce((total, one) => total + one, 0n)).toBe(toUnits(await exact()));
  await page.getByRole('radio', { name: 'Mark price' }).check();
  await expect(page).toHaveURL(/price=mark_price/);
  await expect(page.getByTestId('carry-estimate')).toContainText('not settled, not in the sum');
});

test('carry with only an end adds up all of the thirty days before it, however long ago they were', async ({ page }) => {
  const to = new Date(Date.now() - 80 * 86_400_000).toISOString().slice(0, 'YYYY-MM-DD'.length);
  await page.goto(`${BTC}?to=${to}T08:00`);
  await expect(page.getByTestId('carry-sum')).toContainText('90 of 90');
  await expect(page.getByTestId('carry-sum')).not.toContainText(/missing|not read/);
});

/** A line of what a figure tells of itself. */
async function readNote(page: Page, figure: Locator, name: string): Promise<string> {
  await figure.press('i');
  const line = page.getByRole('dialog').locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
  const told = await line.locator('dd').innerText();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  return told;
}

/** A plain decimal as a whole number of 1e-24. */
function toUnits(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(24, '0'));
  return text.startsWith('-') ? -units : units;
}

test('the number of contracts can be cleared and typed anew', async ({ page }) => {
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

test('what is typed wrong is refused in a sentence', async ({ page }) => {
  await page.goto(`${BTC}?contracts=0`);
  await expect(page.getByRole('main')).toContainText('Not computed. Contracts must be a whole number above zero.');
  await expect(page.locator('[aria-live=polite]').filter({ hasText: 'Contracts must be a whole number above zero.' })).toHaveCount(1);
});

test('where the published increment is wrong, USD is withheld and ticks are told', async ({ page }) => {
  await page.goto('/funding/SHBUN');
  await expect(page.getByText('USD withheld.')).toBeVisible();
  await expect(page.getByTestId('last-settled')).toContainText('Index ticks');
  await expect(page.getByRole('main')).toContainText('Not computed.');
});

test('one link reproduces the screen', async ({ page, context }) => {
  await page.goto(BTC);
  for (const name of ['90 d', 'APY', 'My side: short', 'Short']) await page.getByRole('radio', { name, exact: true }).check();
  const other = await context.newPage();
  await other.goto(page.url());
  for (const name of ['90 d', 'APY', 'My side: short', 'Short']) await expect(other.getByRole('radio', { name, exact: true })).toBeChecked();
});

test.describe('when the desk cannot answer', () => {
  test.use({ provoked: /status of 502/ });

  test('the screen says why in place of figures, and has them once it is asked again', async ({ page }) => {
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

test.describe('when it is read anew', () => {
  test.use({ provoked: /status of 502/ });

  test('a failure is told, and the newest print stays known', async ({ page }) => {
    await page.clock.install();
    await page.goto(BTC);
    const settled = page.getByTestId('last-settled');
    await expect(settled).toContainText('Settled at');
    const known = await settled.innerText();
    await page.route(/\/api\/desk\/funding\?/, (route) => route.fulfill(UNREACHABLE));
    await page.clock.runFor(35_000);
    const panel = page.getByRole('region', { name: 'Settled prints' });
    await expect(panel).toContainText('Not current. These are the last good data. It refuses the connection.');
    await expect(chart(page)).toBeVisible();
    await expect(settled).toHaveText(known, { useInnerText: true });
    await expect(table(page, 'Realised over windows').getByRole('row')).toHaveCount(5);
  });

  test('where the desk could not read it, the newest print known is named, and when it was last read', async ({ page }) => {
    const [end, read] = [new Date(Math.floor(Date.now() / 28_800_000) * 28_800_000), new Date(Date.now() - 600_000)];
    const written = (time: Date): string => time.toISOString().slice(0, '2026-11-20T08:00:00'.length).replace('T', ' ');
    await page.route(/\/api\/desk\/funding\?/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text())
        .replaceAll(/"known_to":"[^"]*"/g, `"known_to":"${end.toISOString()}"`)
        .replaceAll(/"read_at":"[^"]*"/g, `"read_at":"${read.toISOString()}"`)
        .replaceAll('"stale_because":null', '"stale_because":"The venue refuses the connection."');
      await route.fulfill({ response, body });
    });
    await page.goto(BTC);
    const now = page.getByRole('region', { name: 'BTCUC now' });
    await expect(now).toContainText(`Not current. The newest print known is of ${written(end)} UTC; last read ${written(read)} UTC. The venue refuses the connection.`);
    await expect(now.getByTestId('last-settled')).toContainText('Settled at');
  });
});

test.describe('of what there is not', () => {
  test.use({ provoked: /404/ });

  test('a perpetual that there is not says so', async ({ page }) => {
    await page.goto('/funding/NOSUCH');
    await expect(page.getByRole('heading', { name: 'There is no perpetual called NOSUCH' })).toBeVisible();
    await expect(page.getByText('Choose another one above, or type its name.')).toBeVisible();
  });
});

test('the 90-day APR is what the README’s command makes of the raw answer, to the last digit', async ({ page, baseURL }) => {
  await page.goto(`${BTC}?form=apr`);
  const told = table(page, 'Realised over windows').getByRole('row').filter({ hasText: '90 d' }).getByRole('button').nth(1);
  await expect(told).toHaveText(/\d/);
  const shown = await told.innerText();
  await told.press('i');
  const exact = await page.getByRole('dialog').getByText(/^-?\d+\.\d{3,} %$/).innerText();
  const readme = await readFile('README.md', 'utf8');
  const [, command = ''] = /```sh\n(curl[^`]*?)\n```/.exec(readme) ?? [];
  const { stdout } = await run('sh', ['-c', command.replace('http://127.0.0.1:8080/', baseURL ?? '')]);
  const [rounded = '', whole = ''] = stdout.trim().split('\n');
  expect(Number(rounded)).toBe(Number(shown.replace('−', '-')));
  expect(Number(whole)).toBeCloseTo(Number(exact.replace(' %', '')), 11);
});

test.describe('at 1440 px', () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test('the windows have room for figures of many digits', async ({ page }) => {
    // Of the ninety days: a thousand percent, as no rate of the exchange’s own past adds up to.
    await page.route(/\/api\/desk\/funding\?/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll(/"funding_rate":[^,]+/g, '"funding_rate":-0.0374') });
    });
    await page.goto(BTC);
    const windows = page.getByRole('group', { name: 'Realised over windows' });
    await expect(windows.getByRole('row').filter({ hasText: '90 d' })).toContainText('−1,009.8000');
    await expect.poll(() => windows.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  });
});

const widths = { 360: 740, 1440: 900, 2560: 1440 } as const;

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [width, height] of Object.entries(widths)) {
    test.describe(`in the ${colorScheme} theme at ${width} px`, () => {
      test.use({ colorScheme, viewport: { width: Number(width), height }, contextOptions: { reducedMotion: 'reduce' } });
      // The whole long page is judged: on a busy machine that alone may take more than a minute.
      test.slow();

      test('it stays within the width there is, and keeps nobody out', async ({ page }) => {
        await page.goto(BTC);
        await expect(chart(page).locator('canvas').first()).toBeVisible();
        await expect(page.getByTestId('estimate')).toBeVisible();
        await page.screenshot({ path: `e2e/artifacts/screens/funding-one-${colorScheme}-${width}.png` });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(Number(width));
        await expectNoViolation(page);
      });
    });
  }
}

test.describe('when the first page of all prints cannot be read', () => {
  test.use({ provoked: /status of 502/ });

  test('it is not the end of them, and can be tried again', async ({ page }) => {
    const first = /\/api\/desk\/funding\?.*limit=90/;
    await page.route(first, (route) => route.fulfill(UNREACHABLE));
    await page.goto(BTC);
    const panel = page.getByRole('region', { name: 'Every print, to the launch' });
    await expect(panel).toContainText('0 prints read. They could not be read: It refuses the connection.');
    await expect(panel).not.toContainText('This is all there is');
    await page.unroute(first);
    await panel.getByRole('button', { name: 'Try again' }).click();
    await expect(panel).toContainText('90 prints read.');
  });
});
