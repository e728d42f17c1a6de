// Tests the columns of a month against its perpetual and of open interest, which are off until a person chooses them.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { changing, toRows } from '#testing/component/change-answers.ts';
import { type Change, open } from '#testing/component/mount.tsx';
import { readCsv } from '#testing/read-csv.ts';
import { exportAs, expectCount, expectText, expectToContain, fileSavedBy } from '#testing/component/screen.ts';
import { cellOf, columnOf, head, openMarkets } from '#testing/component/markets-page.ts';

const [PERPETUAL, FUTURE] = ['PBTCUCZ50', 'BUSZ26'] as const;
const COLUMNS = ['basisUsd', 'basis', 'basisYear', 'interestChange', 'turnover'] as const;

async function openWithColumns(at = '/', change?: Change): Promise<void> {
  localStorage.setItem(
    'perpdesk.markets.layout',
    JSON.stringify({
      version: 1,
      order: ['favourite', 'symbol', ...COLUMNS, 'settlement'],
      hidden: [],
      widths: {},
      pinned: { start: ['favourite', 'symbol'], end: [] },
    }),
  );
  await openMarkets(at, { size: [1_440, 4_400], ...(change && { change }) });
}

test('a future has a basis against the settlement of its perpetual in the same session, before a weekend too', async () => {
  await openWithColumns();
  // Settled on Friday: (22,270 − 21,750) × 5 USD, of 108,750 USD, 133 days and an hour before expiry.
  await expectText(cellOf(FUTURE, 'basisUsd'), '+2,600.00');
  await expectText(cellOf(FUTURE, 'basis'), '+2.39');
  await expectText(cellOf(FUTURE, 'basisYear'), '+6.56');
  await cellOf(FUTURE, 'basisYear').click();
  await expectToContain(
    page.getByRole('dialog', { name: 'BUSZ26 basis a year: +6.56 %' }),
    'Settlement of BUSZ26 − settlement of PBTCUCZ50',
  );
  await expectText(cellOf(PERPETUAL, 'basis'), '–');
  await cellOf(PERPETUAL, 'basis').click();
  await expectToContain(page.getByRole('dialog', { name: 'PBTCUCZ50 basis: –' }), 'Only a dated future has a basis.');
});

test('a tick size that is ten times wrong withholds the basis, and says so', async () => {
  const wrong = changing(
    /\/api\/desk\/products$/,
    toRows((row) => (row['symbol'] === FUTURE ? { ...row, price_increment: 50 } : row)),
  );
  await openWithColumns('/?q=busz26', wrong);
  await expectText(cellOf(FUTURE, 'basis'), /^(–|n\/a)$/);
  await cellOf(FUTURE, 'basis').click();
  await expectToContain(page.getByRole('dialog', { name: /^BUSZ26 basis: / }), 'tick size');
});

test('open interest has its change since the session before, and the volume relative to it', async () => {
  await openWithColumns('/?q=busz26');
  await expectText(cellOf(FUTURE, 'interestChange'), /^[+−]?\d+$/);
  await expectText(cellOf(FUTURE, 'turnover'), /^\d+\.\d$/);
  await cellOf(FUTURE, 'interestChange').click();
  await expectToContain(
    page.getByRole('dialog', { name: /^BUSZ26 change of open interest: / }),
    'Open interest of 14 Aug 2026 − open interest of 13 Aug 2026',
  );
});

test('the columns sort and are in the file', async () => {
  await openWithColumns('/?type=future&sort=basisYear');
  await expectText(cellOf(FUTURE, 'basisYear'), '+6.56');
  const figures = columnOf('basisYear')
    .filter((text) => text !== '–')
    .map((text) => Number(text.replace('−', '-')));
  expect(figures.length).toBeGreaterThan(10);
  expect([figures.toSorted((a, b) => a - b), figures.toSorted((a, b) => b - a)]).toContainEqual(figures);
  const { text } = await fileSavedBy(() => exportAs('CSV, figures only'));
  const [heading = [], ...rows] = readCsv(text);
  const at = (name: string): string => rows.find((cells) => cells[1] === FUTURE)?.[heading.indexOf(name)] ?? '';
  expect([at('basis_usd'), at('basis_percent'), at('basis_per_year_percent')]).toEqual([
    '2600',
    '2.390805',
    '6.559176',
  ]);
});

test('they are off at first, and nothing is read or loaded for them', async () => {
  const { requested } = await open('/', { size: [1_920, 900] });
  await expect.element(head('24 h volume contracts')).toBeVisible();
  await expectCount(head('Basis'), 0);
  expect(requested.filter((target) => target.includes('day=2026-08-14')).length).toBeLessThanOrEqual(1);
});
