import { expect, it } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { atPageTime, changing, stale, toRows, toProblem, unreachable } from '#testing/component/change-answers.ts';
import { expectAccessible, expectToFit } from '#testing/component/looks.ts';
import { open } from '#testing/component/mount.tsx';
import { readCsv } from '#testing/read-csv.ts';
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

const chart = page.getByRole('application', { name: /^BTC curve/ });
const readout = page.getByTestId('curve-readout');
const headline = page.getByRole('strong').filter({ hasText: /^Contango/ });
/** The headline over an index or mark. */
const apart = page.getByRole('strong').filter({ hasText: /over the (?:index|mark) of/ });
const rows = page.getByRole('grid', { name: 'BTC months' }).getByRole('row');
const gaps = page.getByRole('list', { name: 'Not drawn' });
const chip = (name: string): Locator => page.getByRole('button', { name, exact: true });
const cellsOf = (name: string): readonly string[] => {
  const row = rows.elements().find((each) => each.textContent.startsWith(name));
  return row === undefined ? [] : [...row.children].map(({ textContent }) => textContent);
};

/** The product data of the running session. */
const CURRENT = /\/product\/data\/$/;
/** Those of the newest session of months in the recording; the newest one of perpetuals is two days later. */
const SESSION = /\/product\/data\/\?day=2026-08-14$/;
const BUSU26 = 15_120;

it('says what the curve pays, month by month; after a weekend from the settlements of Friday', async () => {
  const { requested } = await open('/curve');
  await expect.poll(address).toBe('/curve/BTC');
  await expectText(headline, 'Contango: longs of Q26 pay 8.39 % a year over the perpetual PBTCUCZ50');
  await expectToContain(page.getByRole('main'), 'Settled 14 Aug 2026, 21:00 UTC. Q26, previous session, 13 Aug 2026');
  await expect
    .element(page.getByRole('link', { name: 'BUSQ26', exact: true }))
    .toHaveAttribute('href', '/price/BUSQ26');
  const ofVenue = requested.filter((target) => !/\/desk\/(?:me|status|alerts|saved)/.test(target));
  expect(ofVenue).toEqual([
    '/api/desk/products',
    '/api/product/data/',
    '/api/product/data/?day=2026-08-14',
    '/api/product/data/?day=2026-08-13',
    '/api/product/data/?day=2026-08-07',
  ]);
  await expect.poll(() => cellsOf('Q26')[7]).toMatch(/^[+−]/);
  expect(cellsOf('Perpetual').slice(0, 7)).toEqual(['Perpetual', 'PBTCUCZ50', '–', '108,750', '–', '–', '–']);
  expect(cellsOf('Q26')).toEqual(['Q26', 'BUSQ26', '14.0', '109,100', '+350', '+0.32', '+8.39', '+0.61', '173', '+23']);
  expect(cellsOf('30 days').slice(0, 4)).toEqual(['30 days', '–', '30.0', '109,400']);
});

/** Lets all products settle last in a session, as they do on a weekday. */
const settledOn = (day: string) =>
  changing(
    CURRENT,
    toRows((row) => (row['settlement_time'] === null ? row : { ...row, settlement_time: `${day}T21:00:00.000000Z` })),
  );

it('costs two requests on a weekday, besides one for each earlier session', async () => {
  const { requested } = await open('/curve/BTC?with=none', { change: settledOn('2026-08-14') });
  await expectText(page.getByRole('strong'), /^Neither contango nor backwardation: shorts of Q26 pay/);
  expect(requested.filter((target) => target.includes('/product'))).toEqual([
    '/api/desk/products',
    '/api/product/data/',
    '/api/product/data/?day=2026-08-13',
  ]);
});

it('shows the open interest of the session before, with its date, until that of the session is due', async () => {
  await open('/curve/BTC?with=none', {
    at: Date.parse('2026-08-14T23:00:00Z'),
    change: async (answer, sent) => settledOn('2026-08-14')(await atPageTime(answer, sent), sent),
  });
  await expectText(page.getByRole('strong'), /^Neither contango nor backwardation: shorts of Q26 pay/);
  await expect.poll(() => cellsOf('Q26').slice(8)).toEqual([expect.stringMatching(/^\d+$/), 'n/a']);
  await expect.element(page.getByRole('columnheader', { name: /Open interest.*13 Aug 2026/ })).toBeVisible();
});

it('moves along the points and between sessions by arrow keys, and reads each figure aloud', async () => {
  await open('/curve/BTC');
  await expect.element(chart).toBeVisible();
  await expectToContain(readout, 'Q26, in 14.0 days, 14 Aug 2026: +8.39 % a year');
  (chart.element() as HTMLElement).focus();
  await press('Home', 'ArrowRight', 'ArrowRight');
  await expectToContain(readout, '30 days, 14 Aug 2026:');
  await press('End');
  await expectToContain(readout, 'H27, in 224.0 days, 14 Aug 2026:');
  await press('ArrowDown');
  await expectToContain(readout, 'H27, in 225.0 days, previous session, 13 Aug 2026:');
  await expectToContain(page.getByRole('status').last(), 'H27, in 225.0 days, previous session');
  await press('Escape');
  await expectToContain(readout, 'Q26');
});

it('shows the nearest point under the pointer', async () => {
  await open('/curve/BTC?with=none&show=usd');
  const box = chart.element().getBoundingClientRect();
  await chart.hover({ position: { x: box.width - 20, y: 40 } });
  await expectToContain(readout, 'H27, in 224.0 days, 14 Aug 2026: +4,355 USD');
});

it('keeps figure, series and earlier sessions in the address; a month not listed in an earlier one has no change', async () => {
  await open('/curve/BTC');
  await page.getByRole('radio', { name: 'Settlement' }).click();
  await page.getByRole('radio', { name: 'BUC 0.01 BTC' }).click();
  await chip('A week ago').click();
  await chip('30 days ago').click();
  const date = page.getByRole('textbox', { name: 'Another session' });
  await date.fill('2026-08-09');
  await press('Enter');
  // A Sunday means the session of the Friday before it.
  await expect.element(chip('Remove 9 Aug 2026')).toBeVisible();
  await expect.poll(address).toBe('/curve/BTC?show=settlement&series=BUC&with=1d%2C30d%2C2026-08-09');
  await open(address());
  await expect.element(page.getByRole('radio', { name: 'BUC 0.01 BTC' })).toBeChecked();
  await expect.element(chip('30 days ago')).toHaveAttribute('aria-pressed', 'true');
  await expectToContain(page.getByRole('main'), '30 days ago, 15 Jul 2026');
  await chip('Remove 9 Aug 2026').click();
  await expect.element(date).toHaveFocus();
  await chip('Previous session').click();
  await chip('30 days ago').click();
  await expect.poll(address).toBe('/curve/BTC?show=settlement&series=BUC&with=none');
});

const ratesOf = (requested: readonly string[]): readonly string[] =>
  requested.filter((target) => target.includes('/desk/funding'));

it('measures the basis over the index or mark of the nearest funding time, with one more request, and shows both times', async () => {
  const { requested } = await open('/curve/BTC?with=none');
  await expectText(headline, 'Contango: longs of Q26 pay 8.39 % a year over the perpetual PBTCUCZ50');
  expect(ratesOf(requested)).toEqual([]);
  await page.getByRole('radio', { name: 'Over index' }).click();
  await expectText(apart, 'No basis over the index of the perpetual');
  await page.getByRole('radio', { name: '3 h' }).click();
  // (109,100 − 21,638.7 × 5 USD) ÷ (21,638.7 × 5 USD), for 14 days.
  await expectText(
    apart,
    'Q26 settled 21.84 % a year over the index of 3 h 00 min later, which includes what the market moved meanwhile',
  );
  await expectToContain(page.getByRole('main'), 'Index of 15 Aug 2026, 00:00 UTC, 3 h 00 min from the settlement.');
  await expect.poll(address).toBe('/curve/BTC?with=none&over=index&apart=3');
  const figures = [
    '14.0',
    '109,100.0',
    '+906.5',
    '+0.84',
    '+21.84',
    '108,193.5',
    '15 Aug, 00:00',
    '14 Aug, 21:00',
    '180',
  ];
  await expect.poll(() => cellsOf('Q26').slice(2, 11)).toEqual(figures);
  await page.getByRole('radio', { name: 'Over mark' }).click();
  await expectText(apart, /over the mark of 3 h 00 min later/);
  expect(ratesOf(requested)).toEqual(['/api/desk/funding?base_symbol=BTCUC&begin_time=2026-05-18T00%3A00%3A00Z']);
  await page.getByRole('radio', { name: 'Over perpetual' }).click();
  await expect.poll(address).toBe('/curve/BTC?with=none&apart=3');
});

it('refuses a basis over an index that is further from the settlement than chosen, in one sentence a session', async () => {
  await open('/curve/BTC?with=none&over=index');
  await expectText(
    gaps,
    'The nearest known index of PBTCUCZ50 is of 15 Aug 2026, 00:00 UTC, 3 h 00 min from the settlement of ' +
      '14 Aug 2026, 21:00 UTC: more than the 1 h 00 min allowed.',
  );
  await expect.poll(() => cellsOf('Q26').slice(4, 7)).toEqual(['–', '–', '–']);
  await expect.element(page.getByRole('heading', { name: 'Nothing to draw' })).toBeVisible();
  await expectCount(chart, 0);
  await page.getByRole('radio', { name: '3 h' }).click();
  await expect.element(chart).toBeVisible();
  await expectText(apart, /over the index of 3 h 00 min later/);
  await expect.poll(address).toBe('/curve/BTC?with=none&over=index&apart=3');
});

it('says why there is no index, and in another view that it is by settlements', async () => {
  await open('/curve/BTC?with=none&over=index', { change: changing(/\/desk\/funding/, unreachable) });
  await expectToContain(gaps, 'Settled rates could not be read: ');
  await page.getByRole('radio', { name: 'Carry' }).click();
  await expectToContain(
    page.getByRole('main'),
    'The basis here is over the perpetual’s settlement: only the curve is over its index.',
  );
});

it('explains each figure by `i`, also one that does not exist', async () => {
  await open('/curve/BTC?with=none');
  const cell = (row: string, column: string): Locator =>
    page.getByRole('row', { name: new RegExp(`^${row}`) }).getBySelector(`[data-column="${column}"]`);
  await cell('Q26', 'basis_year').click();
  const tooltip = page.getByRole('dialog');
  await expectToContain(tooltip, 'Basis × 525600 minutes of 365 days ÷ 20160 minutes to expiry');
  await press('Escape');
  await cell('Perpetual', 'basis_year').click();
  await expectToContain(tooltip, 'The basis of the months is measured against this product.');
});

it('names a planted fault in a sentence and draws no point: another session, a wrong tick size, no settlement', async () => {
  const faultyRow = (change: Readonly<Record<string, unknown>>) =>
    changing(
      SESSION,
      toRows((row) => (row['product_id'] === BUSU26 ? { ...row, ...change } : row)),
    );
  await open('/curve/BTC?with=none', { change: faultyRow({ settlement_time: '2026-08-13T21:00:00.000000Z' }) });
  await expectToContain(
    gaps,
    'BUSU26 settled on 13 Aug 2026, 21:00 UTC, and PBTCUCZ50 on 14 Aug 2026, 21:00 UTC: a basis needs both settlements of the same minute.',
  );
  expect(cellsOf('U26').slice(3, 7)).toEqual(['–', '–', '–', '–']);
  await open('/curve/BTC?with=none', { change: faultyRow({ settlement_price: null, settlement_time: null }) });
  await expectToContain(gaps, 'BUSU26 has no settlement of 14 Aug 2026.');
  const tenTimes = changing(
    /\/desk\/products$/,
    toRows((row) => (row['product_id'] === BUSU26 ? { ...row, price_increment: 50 } : row)),
  );
  await open('/curve/BTC?with=none', { change: tenTimes });
  await expectToContain(
    gaps,
    'BUSU26: The tick size, volume in the product data and contract size of 14 Aug 2026 contradict each other by a factor of 10.',
  );
  expect(cellsOf('U26').slice(4, 7)).toEqual(['–', '–', '–']);
});

it('shows settlements without a perpetual, and says why there is no basis', async () => {
  const withoutPerpetual = changing(
    /\/desk\/products$/,
    toRows((row) => (row['symbol'] === 'PBTCUCZ50' ? { ...row, product_status: 'expired' } : row)),
  );
  await open('/curve/BTC?show=settlement&with=none', { change: withoutPerpetual });
  await expectText(headline, 'Contango: H27 settled +4,005 USD from Q26');
  expect(cellsOf('Q26').slice(3, 7)).toEqual(['109,100', '–', '–', '–']);
  await page.getByRole('radio', { name: 'Basis USD' }).click();
  await expectToContain(gaps, 'No perpetual of BTC is listed, so there is no basis.');
});

it('shows the session before a holiday, and says which one has no settlements', async () => {
  await open('/curve/BTC?with=none', { change: settledOn('2026-08-13') });
  await expectToContain(
    page.getByRole('main'),
    'Settled 13 Aug 2026, 21:00 UTC. No month has a settlement of 14 Aug 2026.',
  );
});

it('has the figures of all curves in a file, with and without sources', async () => {
  await open('/curve/BTC?with=1w');
  await expectCount(page.getByText('a week ago, 7 Aug 2026'), 2);
  const full = await fileSavedBy(() => exportAs('CSV, with sources'));
  expect(full.name).toBe('curve-BTC-BUS-2026-08-14.csv');
  const lines = full.text.split('\r\n');
  expect(lines.filter((line) => line.startsWith('2026-08-07,BTC,BUS,month'))).toHaveLength(6);
  expect(lines.find((line) => line.startsWith('2026-08-14,BTC,BUS,month,Q26'))).toContain(
    'Q26,BUSQ26,2026-08-28T21:00:00.000000000Z,20160,109100,2026-08-14T21:00:00.000000000Z,350,',
  );
  const figures = await fileSavedBy(() => exportAs('CSV, figures only'));
  expect(figures.text).not.toContain('request_id');
});

it('has the index, both times, how far they are apart, and their source in a file', async () => {
  await open('/curve/BTC?with=none&over=index&apart=3');
  await expectText(apart, /over the index of 3 h 00 min later/);
  const { text } = await fileSavedBy(() => exportAs('CSV, with sources'));
  const [heading = [], ...lines] = readCsv(text);
  const row = lines.find((cells) => cells.includes('BUSQ26')) ?? [];
  const at = (column: string): string => row[heading.indexOf(column)] ?? '';
  expect(['basis_usd', 'basis_over', 'basis_over_usd', 'basis_minutes_apart'].map(at)).toEqual([
    '906.5',
    'index',
    '108193.5',
    '180',
  ]);
  expect([at('settlement_at'), at('basis_over_at')].map((time) => time.slice(0, 16))).toEqual([
    '2026-08-14T21:00',
    '2026-08-15T00:00',
  ]);
  expect(at('settled_rate_request')).toContain('/desk/funding?base_symbol=BTCUC');
});

it('says what is missing: an unknown underlying, a failed session, an old one, a failed earlier one', async () => {
  await open('/curve/XYZ');
  await expect.element(page.getByRole('heading', { name: 'No underlying with months “XYZ”' })).toBeVisible();
  await open('/curve/BTC', { change: changing(SESSION, unreachable) });
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await open('/curve/BTC', { change: changing(CURRENT, stale) });
  await expectToContain(page.getByRole('main'), 'Showing the last good data.');
  const failed = toProblem('venue-unreachable', 'The connection was refused.');
  await open('/curve/BTC?with=1w', { change: changing(/day=2026-08-07$/, failed) });
  await expectToContain(page.getByRole('main'), 'Q26, a week ago, 7 Aug 2026: ');
  await expectText(headline, /^Contango/);
});

it('opens the curve of a product or a series in the address, and finds underlyings by typing', async () => {
  await open('/curve/ETUDZ26');
  await expect.poll(address).toBe('/curve/ETH');
  await page.getByRole('button', { name: 'Underlying' }).click();
  await expectCount(page.getByRole('option'), 3);
  expect(textsOf(page.getByRole('option')).map((text) => text.split('\n')[0])).toEqual(['BTC', 'ETH', 'SOL']);
});

it('fits windows of any width, breaks no accessibility rule, and leaves nothing of a phone cut off', async () => {
  await open('/curve/BTC');
  await expect.element(chart).toBeVisible();
  await expectAccessible('main');
  await expectToFit(320, 390, 760, 1_100, 1_440);
  await open('/curve/BTC?over=index&apart=3');
  await expectText(apart, /over the index/);
  await expectAccessible('main');
  await expectToFit(320, 390, 760, 1_100, 1_440);
});
