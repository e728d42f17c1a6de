// Tests how each screen shows data that the exchange should already have published.
import { expect, it } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import type { RecordedAnswer } from '#testing/component/answers.ts';
import { open, type Change } from '#testing/component/mount.tsx';
import { expectCount, expectText, expectToContain, press, textsOf } from '#testing/component/screen.ts';
import { cellOf, changePerpetuals, figureNote } from '#testing/component/funding-page.ts';

const BTC = 5614;
const STOPPED = Date.parse('2026-08-14T08:00:00Z');
const OVERDUE_RATE = 'he newest settled rate is from 14 Aug 2026 08:00 UTC; that of 17 Aug 2026 08:00 UTC is missing.';
const OVERDUE_SETTLEMENT =
  /he newest settlement(?: in the product data)? is from 2 Aug 2026; that of 16 Aug 2026 is missing\./;

const notice = (): Locator => page.getByRole('note').filter({ hasText: 'Overdue.' });
const marketCell = (symbol: string, column: string): Locator =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: symbol, exact: true }) })
    .getBySelector(`[data-column="${column}"]`);

function changeJson(targets: RegExp, change: (body: unknown, target: string) => unknown): Change {
  return (answer) =>
    targets.test(answer.target)
      ? { ...answer, text: JSON.stringify(change(JSON.parse(answer.text), answer.target)) }
      : answer;
}

/** Ends the settled rates of some perpetuals three days ago. */
function stopFunding(stops: (symbol: string) => boolean): Change {
  return changePerpetuals((perpetual) =>
    stops(perpetual.base_symbol)
      ? {
          ...perpetual,
          prints: perpetual.prints.filter(({ interval_end: end }) => Date.parse(end) <= STOPPED),
          known_to: new Date(STOPPED).toISOString(),
        }
      : perpetual,
  );
}

/** Ends the latest rates three days ago, so that they are old. */
function stopLatest(stops: (productId: number) => boolean): Change {
  const old = { interval_start: '2026-08-14T00:00:00.000Z', interval_end: '2026-08-14T08:00:00.000Z' };
  return changeJson(/\/api\/funding-rates\/\?/, (body) => {
    const { data, ...rest } = body as { readonly data: readonly { readonly product_id: number }[] };
    return { ...rest, data: data.map((row) => (stops(row.product_id) ? { ...row, ...old } : row)) };
  });
}

interface Traded {
  readonly last_price_time: string | null;
  readonly settlement_time: string | null;
}

/**
 * Makes trading data two weeks old, and leaves out the daily values of their sessions, which they would contradict. Each
 * trade is on a whole minute, which is shown with seconds like any other.
 */
const ageTradingData = changeJson(/\/api\/product\/data\/|\/charts\/(?:price|voi)/, (body, target) => {
  if (target.includes('/charts/'))
    return (body as readonly { readonly date: string }[]).filter(({ date }) => date > '2026-08-07');
  const before = (instant: string | null): string | null =>
    instant && new Date(Math.floor((Date.parse(instant) - 14 * 86_400_000) / 60_000) * 60_000).toISOString();
  const age = (row: Traded): Traded => ({
    ...row,
    last_price_time: before(row.last_price_time),
    settlement_time: before(row.settlement_time),
  });
  return Array.isArray(body) ? (body as readonly Traded[]).map(age) : age(body as Traded);
});

it('says once in Markets that all funding has stopped, and marks rates and APR with the reason', async () => {
  await open('/?type=perpetual', { change: stopLatest(() => true) });
  await expectText(notice(), `Overdue. All 17 perpetuals: t${OVERDUE_RATE}`);
  await expectToContain(page.getBySelector('[aria-live=assertive]'), 'Overdue. All');
  for (const column of ['funding', 'apr'])
    await expect.element(marketCell('PBTCUCZ50', column)).toHaveAttribute('data-tone', 'old');
  await marketCell('PBTCUCZ50', 'apr').click();
  await press('i');
  await expectToContain(figureNote(), OVERDUE_RATE);
});

it('ends windows of the comparison now where all funding has stopped, and counts and lists what is missing', async () => {
  await open('/funding?form=interval', { change: stopFunding(() => true) });
  await expectText(notice(), `Overdue. All 17 perpetuals: t${OVERDUE_RATE}`);
  for (const [column, text] of [
    ['coverage', '12 of 21'],
    ['gaps', '9'],
    ['rate-24h', '–'],
  ] as const)
    await expectText(cellOf('BTCUC', column), text);
  await expect.element(cellOf('BTCUC', 'settled')).toHaveAttribute('data-tone', 'old');
  await expectCount(page.getByText('No data faults'), 0);
  await page.getByText(/faults in the exchange’s funding history/).click();
  await expect.element(page.getByRole('listitem').filter({ hasText: 'BTCUC: 9 intervals missing' })).toBeVisible();
  await expectToContain(page.getByTestId('heat-readout'), 'missing: the exchange reports no settled rate');
});

it('lists the gap of a perpetual that has stopped, also in its chart, windows and carry', async () => {
  await open('/funding/BTCUC', { change: stopFunding(() => true) });
  await expectText(notice(), `Overdue. T${OVERDUE_RATE}`);
  await expect.element(page.getByTestId('last-settled')).toHaveAttribute('data-old');
  await expectToContain(page.getByRole('row', { name: /^7 d/ }), '12 of 21');
  await expectToContain(page.getByRole('row', { name: /^24 h/ }), '0 of 3');
  await expectToContain(page.getByRole('table', { name: 'Gaps and faults' }), '9 intervals without a settled rate.');
  await expect
    .element(page.getByText('9 intervals without a valid settled rate: hatched, not filled in.'))
    .toBeVisible();
  await expectToContain(page.getByTestId('carry-sum'), '81 of 90');
  await expectToContain(page.getByTestId('carry-sum'), '9 missing (not filled in)');
  await expectCount(page.getByText(/No intervals missing|No gaps or faults/), 0);
});

it('names in the comparison the one perpetual that has stopped, and it alone', async () => {
  await open('/funding?form=interval', { change: stopFunding((symbol) => symbol === 'BTCUC') });
  await expectText(notice(), `Overdue. BTCUC: t${OVERDUE_RATE}`);
  await expectText(cellOf('BTCUC', 'coverage'), '12 of 21');
  await expectText(cellOf('ETHUI', 'coverage'), '21 of 21');
  await expect.element(cellOf('ETHUI', 'settled')).not.toHaveAttribute('data-tone', 'old');
});

it('says on Markets and Price, too, which one perpetual has stopped', async () => {
  const [rates, latest] = [stopFunding((symbol) => symbol === 'BTCUC'), stopLatest((id) => id === BTC)];
  const change = (answer: RecordedAnswer, sent: Headers) =>
    answer.target.startsWith('/api/funding-rates/?') ? latest(answer, sent) : rates(answer, sent);
  await open('/?type=perpetual', { change });
  await expectText(notice(), `Overdue. PBTCUCZ50: t${OVERDUE_RATE}`);
  await expect.element(marketCell('PETHUIZ50', 'funding')).not.toHaveAttribute('data-tone', 'old');
  await open('/funding/BTCUC', { change });
  await expectToContain(page.getByRole('row', { name: /^7 d/ }), '12 of 21');
  await open('/price/PBTCUCZ50', { change });
  await expectText(notice(), `Overdue. T${OVERDUE_RATE}`);
});

it('marks last prices that are two weeks old on Markets and Price, and shows when they were', async () => {
  await open('/?q=PBTCUCZ50', { change: ageTradingData });
  // The date is that of the oldest figure: futures settle on Fridays.
  await expectText(
    notice(),
    'Overdue. All 71 products: the newest settlement is from 31 Jul 2026; that of 14 Aug 2026 is missing.',
  );
  const last = marketCell('PBTCUCZ50', 'last');
  await expect.element(last).toHaveAttribute('data-tone', 'old');
  await expectText(marketCell('PBTCUCZ50', 'lastDate'), '3 Aug 2026');
  await last.click();
  await press('i');
  await expectText(figureNote(), OVERDUE_SETTLEMENT);
  await press('Escape');
  await expectCount(figureNote(), 0);
  await open('/price/PBTCUCZ50', { change: ageTradingData });
  await expectText(notice(), OVERDUE_SETTLEMENT);
  const shown = page.getByRole('region', { name: 'PBTCUCZ50 current figures' }).getBySelector('[data-old]').first();
  await expect.poll(() => textsOf(shown).join()).toMatch(/Last USD.*2026-08-03 \d\d:\d\d:00 UTC/s);
});

it('says once on Price and Volume that prices and open interest ended two weeks ago, but not of a past range', async () => {
  const change = changeJson(/\/api\/web\/charts\/(?:price|voi)/, (days) =>
    (days as readonly { readonly date: string }[]).filter(({ date }) => date < '2026-08-03'),
  );
  await open('/price/PBTCUCZ50', { change });
  await expect.element(page.getByRole('region', { name: 'PBTCUCZ50, prices' }).getByRole('application')).toBeVisible();
  await expect
    .poll(() => textsOf(notice()))
    .toEqual([expect.stringMatching(/newest settlement/), expect.stringMatching(/The newest open interest is from/)]);
  await expect
    .element(
      page
        .getByRole('region', { name: 'PBTCUCZ50 current figures' })
        .getBySelector('[data-old]')
        .filter({ hasText: /^Settlement USD/ }),
    )
    .toBeVisible();
  await open('/volume/PBTCUCZ50', { change });
  await expectText(notice(), /^Overdue\. The newest open interest is from .*; that of .* is missing\.$/);
  await open('/volume/PBTCUCZ50?from=2026-06-18&to=2026-08-03', { change });
  await expect.element(page.getByRole('application')).toBeVisible();
  await expectCount(notice(), 0);
});

it.each(['/', '/funding', '/funding/BTCUC', '/price/PBTCUCZ50', '/volume/PBTCUCZ50'])(
  'says nothing at %s while the exchange publishes on time',
  async (path) => {
    await open(path);
    await expect.element(page.getByText(/ old/).first()).toBeVisible();
    await expect.element(page.getByRole('banner').getByText(/^\d\d:\d\d:\d\d UTC/)).toBeVisible();
    await expectCount(notice(), 0);
  },
);
