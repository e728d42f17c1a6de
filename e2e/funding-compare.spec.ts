import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { cellOf, expectOrdered, rowsOf, showColumns, tableOf, toNumber, type Funding, type Print } from './funding-page.ts';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { UNREACHABLE } from './problem-response.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

test.use({ live: false });
const DAY_MS = 86_400_000;

function heatmapOf(page: Page): Locator {
  return page.getByRole('grid', { name: 'Funding heatmap' });
}

async function openFunding(page: Page, query = ''): Promise<Funding> {
  const [response] = await Promise.all([page.waitForResponse(/\/api\/desk\/funding\?/), page.goto(`/funding${query}`)]);
  await expect(rowsOf(page).first()).toBeVisible();
  return (await response.json()) as Funding;
}

/** Settled rates of a perpetual in units of 1e-10, of so many days before the latest funding time of any. */
function takeDays({ perpetuals }: Funding, symbol: string, days: number): readonly bigint[] {
  const end = Math.max(...perpetuals.flatMap(({ prints }) => prints.slice(0, 1).map(({ interval_end }) => Date.parse(interval_end))));
  const prints = perpetuals.find(({ base_symbol }) => base_symbol === symbol)?.prints ?? [];
  const inside = prints.filter(({ interval_end }) => Date.parse(interval_end) > end - days * DAY_MS);
  return inside.map(({ funding_rate }) => BigInt(Math.round(funding_rate * 1e10)));
}

/** A count of 1e-10 as signed percent with four digits, rounded half away from zero; computed independently. */
function toPercent(units: bigint): string {
  const size = units < 0n ? -units : units;
  const rounded = (size + 5_000n) / 10_000n;
  const text = `${String(rounded / 10_000n)}.${String(rounded % 10_000n).padStart(4, '0')}`;
  return rounded === 0n ? text : `${units < 0n ? '−' : '+'}${text}`;
}

async function save(page: Page, button: Locator): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test('each perpetual has its settled rate, who pays, and sums that match the raw response', async ({ page }) => {
  await showColumns(page, ['settled', 'pays', 'sum-24h', 'sum-7d', 'sum-30d', 'sum-90d']);
  const funding = await openFunding(page);
  await expect(rowsOf(page)).toHaveCount(funding.perpetuals.length);
  for (const { base_symbol: symbol, prints } of funding.perpetuals.slice(0, 4)) {
    const rate = BigInt(Math.round((prints[0]?.funding_rate ?? 0) * 1e10));
    await expect(cellOf(page, symbol, 'settled')).toHaveText(toPercent(rate));
    await expect(cellOf(page, symbol, 'pays')).toHaveText(rate > 0n ? 'longs pay' : rate < 0n ? 'shorts pay' : 'no payment');
    for (const [column, days] of [['sum-24h', 1], ['sum-7d', 7], ['sum-30d', 30], ['sum-90d', 90]] as const) {
      const sum = takeDays(funding, symbol, days).reduce((all, one) => all + one, 0n);
      await expect(cellOf(page, symbol, column)).toHaveText(toPercent(sum));
    }
  }
  await expect(page.getByText('Positive: longs pay shorts').first()).toBeVisible();
  await expect(page.getByText(/\d+ s old · refreshes every 30 s/)).toBeVisible();
});

test('a custom window sums the rates settled in it, both days included', async ({ page }) => {
  await showColumns(page, ['sum-custom', 'coverage'], 'funding-own-days');
  const funding = await openFunding(page);
  const newest = Math.max(...funding.perpetuals.flatMap(({ prints }) => prints.slice(0, 1).map(({ interval_end: end }) => Date.parse(end))));
  const dayBefore = (days: number): string => new Date(newest - days * DAY_MS).toISOString().slice(0, 10);
  const [from, to] = [dayBefore(40), dayBefore(31)];
  await page.getByRole('radio', { name: 'Custom' }).check();
  await page.getByLabel('From', { exact: true }).fill(from);
  await page.getByLabel('To', { exact: true }).fill(to);
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(new RegExp(`from=${from}&to=${to}`));
  const [after, upTo] = [Date.parse(from), Date.parse(to) + DAY_MS];
  for (const { base_symbol: symbol, prints } of funding.perpetuals.slice(0, 4)) {
    const inside = prints.filter(({ interval_end: end }) => Date.parse(end) > after && Date.parse(end) <= upTo);
    const sum = inside.reduce((all, { funding_rate: rate }) => all + BigInt(Math.round(rate * 1e10)), 0n);
    await expect(cellOf(page, symbol, 'sum-custom')).toHaveText(toPercent(sum));
    await expect(cellOf(page, symbol, 'coverage')).toHaveText(/^30 of 30$/);
  }
  await expect(page.getByRole('region', { name: 'Funding rates, custom range', exact: true })).toBeAttached();
});

test('one basis point is 10.95 % APR, and 11.57 % as APY when chosen', async ({ page }) => {
  const funding = await openFunding(page);
  const symbol = funding.perpetuals.find(({ prints }) => prints[0]?.funding_rate === 0.0001)?.base_symbol ?? '';
  expect(symbol).not.toBe('');
  await expect(cellOf(page, symbol, 'form')).toHaveText('+10.95');
  await page.getByRole('radio', { name: 'APY' }).check();
  await expect(cellOf(page, symbol, 'form')).toHaveText('+11.57');
  await expect(tableOf(page).getByRole('columnheader', { name: 'APY %, compounded' }).first()).toBeVisible();
  await page.getByRole('radio', { name: 'per day' }).check();
  await expect(cellOf(page, symbol, 'form')).toHaveText('+0.0300');
});

test('the predicted rate shows the elapsed share and the weight so far', async ({ page }) => {
  await openFunding(page);
  const elapsedOf = tableOf(page).getByRole('gridcell').and(page.locator('[data-column="elapsed"]'));
  await expect(elapsedOf.filter({ hasText: /^\d+\.\d % · \d+\.\d %$/ }).first()).toBeVisible();
  const shares = await elapsedOf.filter({ hasText: '·' }).first().innerText();
  const [elapsed = 0, fixed = 0] = shares.split('·').map((part) => Number.parseFloat(part));
  expect(Math.abs(fixed - elapsed ** 2 / 100)).toBeLessThan(0.2);
});

test('a figure shows the settled rate it was read from, by the keyboard', async ({ page }) => {
  const { perpetuals } = await openFunding(page);
  const symbol = perpetuals[0]?.base_symbol ?? '';
  await page.getByRole('columnheader', { name: 'Perpetual' }).click();
  await expect(page).toHaveURL(/sort=symbol/);
  const line = perpetuals.map(({ base_symbol: each }) => each).toSorted().indexOf(symbol);
  await page.keyboard.press('Control+Home');
  for (let step = 0; step < line; step += 1) await page.keyboard.press('ArrowDown');
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('i');
  const note = page.getByRole('dialog');
  await expect(note).toContainText('prints.funding_rate');
  await expect(note).toContainText(/GET \/api\/desk\/funding\?begin_time=/);
  await page.keyboard.press('Escape');
  for (let step = 0; step < 10; step += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('i');
  await expect(note).toContainText(/Mean of \d+ of \d+ settled rates/);
  await expect(note).toContainText('desk/funding prints.funding_rate = ');
});

test('missing figures sort last in both directions', async ({ page }) => {
  await showColumns(page, ['settled', 'sum-7d']);
  await page.route(/\/api\/desk\/funding\?/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as Funding;
    const perpetuals = body.perpetuals.map((perpetual, index) => (index === 0 ? { ...perpetual, prints: [] } : perpetual));
    await route.fulfill({ response, json: { ...body, perpetuals } });
  });
  const { perpetuals } = await openFunding(page);
  const empty = perpetuals[0]?.base_symbol ?? '';
  const last = rowsOf(page).last().getByRole('link');
  const sort = tableOf(page).getByRole('columnheader', { name: /^7 d sum/ });
  await sort.click();
  await expect(page).toHaveURL(/sort=-sum-7d/);
  await expect(last).toHaveText(empty);
  await sort.click();
  await expect(page).toHaveURL(/sort=sum-7d/);
  await expect(last).toHaveText(empty);
  await expect(cellOf(page, empty, 'settled')).toHaveText('–');
});

test('ranks are by realised rate, by premium or by volatility', async ({ page }) => {
  const { perpetuals } = await openFunding(page);
  const first = rowsOf(page).first();
  for (const [name, column] of [['Mean rate', 'rate-7d'], ['Premium', 'premium'], ['Std dev', 'deviation']] as const) {
    await page.getByRole('radio', { name, exact: true }).check();
    await expect(first.locator('[data-column="rank"]')).toHaveText(/^=?1$/);
    // The first rank is 1 in every order.
    await expectOrdered(page, column, column === 'deviation' ? (a, b) => a - b : (a, b) => b - a);
  }
  await page.getByRole('radio', { name: 'Premium', exact: true }).check();
  const [symbol = '', print] = perpetuals.flatMap(({ base_symbol: name, prints: [newest] }) => (newest === undefined ? [] : [[name, newest] as const]))[0] ?? [];
  const basisPoints = ((print?.mark_price ?? NaN) / (print?.price_index ?? NaN) - 1) * 10_000;
  expect(toNumber(await cellOf(page, symbol, 'premium').innerText())).toBeCloseTo(basisPoints, 2);
});

test('the rank follows the window in force, names it, and says which ranks are tied', async ({ page }) => {
  const { perpetuals } = await openFunding(page);
  for (const [name, label, column] of [['30d', '30 d', 'rate-30d'], ['24h', '24 h', 'rate-24h']] as const) {
    await page.getByRole('group', { name: 'Range', exact: true }).getByRole('radio', { name, exact: true }).check();
    await expect(tableOf(page).getByRole('columnheader', { name: 'Rank' })).toContainText(label);
    await expect(page.getByText(`over ${label}, highest first`)).toBeVisible();
    await expectOrdered(page, column, (a, b) => b - a);
  }
  const sums = perpetuals.map(({ base_symbol: symbol }) => takeDays({ perpetuals }, symbol, 1).reduce((all, one) => all + one, 0n));
  const tied = sums.filter((sum, at) => sums.some((other, place) => other === sum && place !== at)).length;
  await expect(rowsOf(page).locator('[data-column="rank"]').filter({ hasText: /^=/ })).toHaveCount(tied);
});

test('the heatmap names its own range', async ({ page }) => {
  await openFunding(page);
  await expect(page.getByRole('region', { name: 'Funding heatmap, last 30 d' })).toBeVisible();
  await page.getByRole('group', { name: 'Heatmap range' }).getByRole('radio', { name: '180d' }).check();
  await expect(page.getByRole('region', { name: 'Funding heatmap, last 180 d' })).toBeVisible();
});

test('the sign convention of a long position inverts the signs, and its name stays visible', async ({ page }) => {
  const { perpetuals } = await openFunding(page);
  const symbol = perpetuals[0]?.base_symbol ?? '';
  const market = await cellOf(page, symbol, 'settled').innerText();
  await page.getByRole('radio', { name: 'Long position' }).check();
  const turned = market.replace(/^[+−]/, (sign) => (sign === '+' ? '−' : '+'));
  await expect(cellOf(page, symbol, 'settled')).toHaveText(turned);
  await expect(page.getByText('Long position: + received, − paid').first()).toBeVisible();
  await page.getByRole('radio', { name: 'Short position' }).check();
  await expect(cellOf(page, symbol, 'settled')).toHaveText(market);
});

const CHOICES = [['Rate unit', 'APY'], ['Range', '30d'], ['Rank by', 'Std dev'], ['Sign convention', 'Short position'], ['Measure', 'Cumulative sum'], ['Heatmap range', '90d']] as const;

test('the address holds every choice', async ({ page }) => {
  await openFunding(page);
  await page.getByRole('checkbox', { name: 'Chart BTCUC' }).click();
  for (const [group, name] of CHOICES) await page.getByRole('group', { name: group, exact: true }).getByRole('radio', { name, exact: true }).check();
  await page.getByLabel('Long', { exact: true }).selectOption('SOLUS');
  await page.getByTestId('legend').first().getByRole('button', { name: 'BTCUC' }).click();
  await expect.poll(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    ...{ pick: 'BTCUC', form: 'apy', range: '30d', rank: 'stability', side: 'short' },
    ...{ show: 'sum', heat: '270', long: 'SOLUS', hide: 'BTCUC' },
  });
});

test('a link restores every choice', async ({ page }) => {
  await openFunding(page, '?pick=BTCUC,ETHUI&form=apy&range=30d&rank=stability&side=short&show=sum&heat=270&long=SOLUS&hide=BTCUC');
  for (const [group, name] of CHOICES) await expect(page.getByRole('group', { name: group, exact: true }).getByRole('radio', { name, exact: true })).toBeChecked();
  for (const symbol of ['BTCUC', 'ETHUI']) await expect(page.getByRole('checkbox', { name: `Chart ${symbol}` })).toBeChecked();
  await expect(page.getByLabel('Long', { exact: true })).toHaveValue('SOLUS');
  const legend = page.getByTestId('legend').first();
  await expect(legend.getByRole('button', { name: 'BTCUC' })).toHaveAttribute('aria-pressed', 'false');
  await expect(legend.getByRole('button', { name: 'ETHUI' })).toHaveAttribute('aria-pressed', 'true');
});

test('the legend hides a line, shows one alone, and all again', async ({ page }) => {
  const [one, two, three] = ['BTCUC', 'ETHUI', 'SOLUS'] as const;
  await openFunding(page, `?pick=${one},${two},${three}`);
  const legend = page.getByTestId('legend').first();
  const line = (symbol: string): Locator => legend.getByRole('button', { name: symbol });
  await line(one).click();
  await expect(line(one)).toHaveAttribute('aria-pressed', 'false');
  await line(two).click({ modifiers: ['Shift'] });
  for (const [symbol, shown] of [[one, 'false'], [two, 'true'], [three, 'false']] as const) await expect(line(symbol)).toHaveAttribute('aria-pressed', shown);
  await line(two).dblclick();
  await line(two).click({ modifiers: ['Shift'] });
  for (const symbol of [one, two, three]) await expect(line(symbol)).toHaveAttribute('aria-pressed', 'true');
});

test('a spread is long minus short where both have a settled rate, its carry the opposite, and swapping inverts it', async ({ page }) => {
  const funding = await openFunding(page);
  const [long = '', short = ''] = funding.perpetuals.map(({ base_symbol }) => base_symbol);
  await expect(page.getByLabel('Long', { exact: true }).locator('option')).toHaveText(funding.perpetuals.map(({ base_symbol }) => base_symbol).toSorted());
  await page.getByLabel('Long', { exact: true }).selectOption(long);
  await page.getByLabel('Short', { exact: true }).selectOption(short);
  const [a, b] = [long, short].map((symbol) => takeDays(funding, symbol, 7).reduce((all, one) => all + one, 0n));
  const carry = (b ?? 0n) - (a ?? 0n);
  const summary = page.getByText(new RegExp(`^Long ${long}, short ${short}: .*21 of 21 intervals in common`)).first();
  await expect(summary).toContainText(`carry ${toPercent(carry)} %`);
  await page.getByRole('button', { name: 'Swap' }).click();
  await expect(page.getByText(new RegExp(`^Long ${short}, short ${long}: `)).first()).toContainText(`carry ${toPercent(-carry)} %`);
});

test('the keyboard reaches every cell of the heatmap, and each has its rate as accessible name', async ({ page }) => {
  const { perpetuals } = await openFunding(page, '?heat=540&sort=symbol');
  const map = heatmapOf(page);
  await expect(map).toHaveAccessibleDescription(/^\d+ perpetuals over 540 intervals, .* Longs paid in [\d,]+ of [\d,]+ settled intervals.*Arrow keys move between cells\. Press I to see/);
  await expect(map).toHaveAttribute('aria-colcount', '541');
  await map.getByRole('gridcell').focus();
  const focused = page.locator('[role="gridcell"]:focus');
  const [first = '', second = ''] = perpetuals.map(({ base_symbol }) => base_symbol).toSorted();
  await expect(focused).toHaveAttribute('aria-label', new RegExp(`^${first}, .* UTC, [+−]?\\d\\.\\d{4} % per 8 h, (longs pay shorts|shorts pay longs|no payment)`));
  await expect(focused).toHaveAttribute('aria-colindex', '541');
  await page.keyboard.press('ArrowDown');
  await expect(focused).toHaveAttribute('aria-label', new RegExp(`^${second}, `));
  await page.keyboard.press('Home');
  await expect(focused).toHaveAttribute('aria-colindex', '2');
  await expect(focused).toBeInViewport();
  await page.keyboard.press('ArrowRight');
  await expect(focused).toHaveAttribute('aria-colindex', '3');
  await page.keyboard.press('Control+End');
  await expect(focused).toHaveAttribute('aria-colindex', '541');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('End');
  await page.keyboard.press('i');
  await expect(page.getByRole('dialog')).toContainText('prints.funding_rate');
});

test('gaps, duplicates, overlaps and wrong lengths are listed, hatched and excluded from sums', async ({ page }) => {
  await showColumns(page, ['sum-7d', 'coverage', 'gaps']);
  const planted = { symbol: '', sum: 0n };
  await page.route(/\/api\/desk\/funding\?/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as Funding;
    // The first row of the table and the heatmap.
    const [first, ...rest] = body.perpetuals.toSorted((a, b) => (a.base_symbol < b.base_symbol ? -1 : 1));
    if (first === undefined) throw new Error('no perpetual');
    const prints = plant(first.prints);
    planted.symbol = first.base_symbol;
    // Of the last 21 intervals: one is missing, one is too short; the rest count once each.
    planted.sum = first.prints.slice(0, 21).reduce((all, { funding_rate: rate }, at) => (at === 2 || at === 12 ? all : all + BigInt(Math.round(rate * 1e10))), 0n);
    await route.fulfill({ response, json: { ...body, perpetuals: [{ ...first, prints }, ...rest] } });
  });
  await openFunding(page, '?sort=symbol');
  await expect(cellOf(page, planted.symbol, 'coverage')).toHaveText('19 of 21');
  await expect(cellOf(page, planted.symbol, 'gaps')).toHaveText(/^2 · 3 faults$/);
  await expect(cellOf(page, planted.symbol, 'sum-7d')).toHaveText(toPercent(planted.sum));
  await page.getByText(/faults in the exchange’s funding history/).click();
  for (const words of [/1 interval missing/, /reported 2 times/, /overlaps the previous interval/, /4 h instead of 8 h/]) await expect(page.getByRole('listitem').filter({ hasText: words }).first()).toBeVisible();
  await heatmapOf(page).getByRole('gridcell').focus();
  for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowLeft');
  await expect(page.locator('[role="gridcell"]:focus')).toHaveAttribute('aria-label', /missing: the exchange reports no settled rate/);
});

/** Newest first: the third is missing, the sixth comes twice, the ninth is overlapped, the thirteenth lasts four hours. */
function plant(prints: readonly Print[]): readonly Print[] {
  const later = (instant: string): string => new Date(Date.parse(instant) + DAY_MS / 6).toISOString();
  return prints.flatMap((print, at) => {
    if (at === 2) return [];
    if (at === 5) return [print, print];
    if (at === 8) return [{ ...print, interval_start: later(print.interval_start), interval_end: later(print.interval_end) }, print];
    return at === 12 ? [{ ...print, interval_end: later(print.interval_start) }] : [print];
  });
}

test('table, rates, heatmap and spread export as RFC 4180 CSV, charts and heatmap as PNG', async ({ page }) => {
  const funding = await openFunding(page);
  const { perpetuals } = funding;
  const csv = async (name: string, at = 0): Promise<string[]> => {
    const { name: file, bytes } = await save(page, page.getByRole('button', { name, exact: true }).nth(at));
    expect(file).toMatch(/^funding-.*\.csv$/);
    const text = bytes.toString('utf8');
    expect(text.endsWith('\r\n')).toBe(true);
    return text.slice(0, -2).split('\r\n');
  };
  const table = await csv('Table CSV');
  expect(table).toHaveLength(perpetuals.length + 1);
  expect(new Set(table.map((line) => line.replaceAll(/"[^"]*"/g, 'quoted').split(',').length)).size).toBe(1);
  expect(table[0]).toMatch(/,endpoint,request,answered_at,received_at,age_s,from,request_id,ranked_by,estimate_missing_because,percentile_1y,year_settled,last_settled_apy,/);
  const prints = await csv('Rates CSV');
  expect(prints[0]).toMatch(/^base_symbol,product_id,interval_start,interval_end,funding_rate,interest_rate,mark_over_index,apr_simple,/);
  const drawn = [...new Set(prints.slice(1).map((line) => line.split(',')[0] ?? ''))];
  expect(drawn).toHaveLength(5);
  // A halted perpetual has fewer.
  expect(prints).toHaveLength(1 + drawn.reduce((sum, symbol) => sum + takeDays(funding, symbol, 7).length, 0));
  const heat = await csv('CSV', 0);
  expect(heat).toHaveLength(perpetuals.length + 1);
  expect(heat[0]?.split(',')).toHaveLength(2 + 90 + 7);
  const spread = await csv('CSV', 1);
  expect(spread[0]).toMatch(/^interval_end,long,short,long_rate,short_rate,spread,carry_so_far,/);
  await expect(page.getByRole('application', { name: /^Funding: Settled rate/ }).locator('canvas').first()).toBeVisible();
  for (const at of [0, 1, 2]) {
    const { name, bytes } = await save(page, page.getByRole('button', { name: 'PNG' }).nth(at));
    expect(name).toMatch(/^[\w-]+-funding-.*-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d-read-\d{8}T\d{6}Z\.png$/);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  }
});

test('the chart is also available as a table, with the same figures', async ({ page }) => {
  const funding = await openFunding(page, '?pick=BTCUC&view=table');
  const rows = page.getByRole('table', { name: /^Funding: Settled rate/ }).locator('tbody tr');
  await expect(rows).toHaveCount(21);
  await expect(rows.first().locator('td').last()).toHaveText(toPercent(BigInt(Math.round((funding.perpetuals.find(({ base_symbol }) => base_symbol === 'BTCUC')?.prints[0]?.funding_rate ?? 0) * 1e10))));
});

test.describe('when the server fails', () => {
  test.use({ provoked: /status of 502/ });

  test('the screen shows an error and recovers with Try again', async ({ page }) => {
    const down = { now: true };
    await page.route(/\/api\/desk\/funding\?/, async (route) => {
      if (down.now) await route.fulfill(UNREACHABLE);
      else await route.continue();
    });
    await page.goto('/funding');
    const again = page.getByRole('button', { name: 'Try again' });
    await expect(again).toBeVisible();
    down.now = false;
    await Promise.all([page.waitForResponse((response) => response.url().includes('/api/desk/funding?') && response.ok()), again.click()]);
    await expect(rowsOf(page).first()).toBeVisible();
  });
});

test.describe('its looks', () => {
  // Reading the canvas back makes the browser log a hint.
  test.use({ provoked: /willReadFrequently/ });

  test('the comparison does not scroll sideways in any look and has no accessibility violations', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await openFunding(page);
    await inEachLook(page, [[360, 740], [1440, 900], [2560, 1440]], async (look) => {
      await expect(page.locator('[role=application] canvas').first()).toBeVisible();
      await takeShot(page, `funding-${look.colorScheme}-${String(look.width)}`);
      await expectToFit(page, look);
      // All rows are alike: checking a few is as good as all, and much faster.
      await expectAccessible(page, look, { exclude: ['[data-part=body] > :nth-child(n + 3)', 'tbody tr:nth-child(n + 3)'] });
    });
  });
});
