// Tests the changes against earlier prices, and what Markets shows of products that are closed.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { atVenueTime } from '#testing/component/change-answers.ts';
import { open, recordedAnswer } from '#testing/component/mount.tsx';
import { RECORDED_AT } from '#testing/component/recorded-at.ts';
import { expectCount, expectText, expectToContain } from '#testing/component/screen.ts';
import { cellOf, head, openMarkets } from '#testing/component/markets-page.ts';

const DAY_MS = 86_400_000;
/** The Saturday after the responses were recorded, at half past twelve UTC. */
const SATURDAY = RECORDED_AT + 5 * DAY_MS;
const [PERPETUAL, FUTURE] = [
  { id: 5614, symbol: 'PBTCUCZ50' },
  { id: 15_312, symbol: 'BUSZ26' },
] as const;

async function settlementOf(id: number, day = ''): Promise<number> {
  const answer = await recordedAnswer(`/api/product/data/${day === '' ? '' : `?day=${day}`}`);
  const rows = JSON.parse(answer?.text ?? '') as readonly { product_id: number; settlement_price: number }[];
  return rows.find(({ product_id: product }) => product === id)?.settlement_price ?? NaN;
}

/** Formats the change of the newest settlement as the screen does. */
async function changeSince(id: number, day: string): Promise<string> {
  const percent = ((await settlementOf(id)) / (await settlementOf(id, day)) - 1) * 100;
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(2)}`;
}

test('on a weekend a closed product says when it opens, and how it settled', async () => {
  await openMarkets('/', { change: atVenueTime(SATURDAY) });
  await expectText(cellOf(FUTURE.symbol, 'trading'), 'Closed · Mon 00:00');
  await document.fonts.ready;
  const { scrollWidth, clientWidth } = cellOf(FUTURE.symbol, 'trading').element();
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  await expectText(cellOf(PERPETUAL.symbol, 'trading'), 'Open');
  await expectText(cellOf(FUTURE.symbol, 'settlementChange'), await changeSince(FUTURE.id, '2026-08-13'));
  await expectText(cellOf(PERPETUAL.symbol, 'settlementChange'), await changeSince(PERPETUAL.id, '2026-08-15'));
  await cellOf(FUTURE.symbol, 'trading').click();
  await expectToContain(page.getByRole('dialog', { name: 'BUSZ26: closed' }), '2026-08-24 00:00:00 UTC');
});

test('while all products are open, neither is shown, and no earlier session is read for it', async () => {
  const { requested } = await open('/', { size: [1_440, 900] });
  await expect.element(head('24 h volume contracts')).toBeVisible();
  await expectCount(head('Trading'), 0);
  await expectCount(head('Settle to settle'), 0);
  expect(requested.filter((target) => /day=2026-0(7|8-0)|journal\/prices/.test(target))).toEqual([]);
});

test('a wide window shows changes in 24 hours, 7 and 30 days, each with what it compares or why it is missing', async () => {
  await openMarkets('/', { size: [1_920, 4_400] });
  await expectText(cellOf(PERPETUAL.symbol, 'change7d'), await changeSince(PERPETUAL.id, '2026-08-09'));
  await expectText(cellOf(PERPETUAL.symbol, 'change30d'), await changeSince(PERPETUAL.id, '2026-07-17'));
  await expectText(cellOf(FUTURE.symbol, 'change7d'), await changeSince(FUTURE.id, '2026-08-07'));
  await expectText(cellOf(FUTURE.symbol, 'change30d'), await changeSince(FUTURE.id, '2026-07-15'));
  await cellOf(FUTURE.symbol, 'change30d').click();
  await expectToContain(
    page.getByRole('dialog', { name: /^BUSZ26 change in 30 days, by settlements: / }),
    'Newest settlement ÷ settlement of 15 Jul 2026 − 1, in ticks',
  );
  await expectText(cellOf(FUTURE.symbol, 'change24h'), '–');
  await cellOf(FUTURE.symbol, 'change24h').click();
  await expectToContain(
    page.getByRole('dialog', { name: 'BUSZ26 change in 24 hours: –' }),
    'Market prices were not recorded at 2026-08-16T12:30:00.000Z',
  );
});
