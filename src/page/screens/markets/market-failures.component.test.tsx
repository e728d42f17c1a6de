// Tests what Markets shows when answers fail, arrive late or are incomplete.
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { changing, holding, toBody, toProblem, type Row } from '#testing/component/change-answers.ts';
import { mount, type Change } from '#testing/component/mount.tsx';
import { RECORDED_AT } from '#testing/component/recorded-at.ts';
import { expectCount, expectText, expectToContain } from '#testing/component/screen.ts';
import { footer, grid, head, openMarkets, products } from '#testing/component/markets-page.ts';

const TRAILING = /\/market\/stats\/trailing\/all-products$/;
/** Of the second row: the first is that of a product whose figures contradict each other. */
const cell = (column: string) => grid().getBySelector(`[role=gridcell][data-column="${column}"]`).nth(1);

test('the screen says what happened and what to do, and retries', async () => {
  let change: Change = changing(/\/desk\/products$/, toProblem('venue-unreachable', 'The connection was refused.'));
  mount('/', { change: (...asked) => change(...asked) });
  const failure = page.getByRole('main').getBySelector('section[data-level]');
  await expectToContain(failure, 'The connection was refused.');
  await expectToContain(failure, 'Perpdesk retries automatically');
  change = (answer) => answer;
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect.element(grid()).toBeVisible();
});

test('one slow response holds nothing back but its own columns', async () => {
  const { change, letGo } = holding(TRAILING);
  mount('/', { change });
  await expectText(cell('openInterest'), /\d/);
  await expectText(cell('volume'), '…');
  await expect.element(head('24 h volume contracts')).toHaveAccessibleDescription('Loading…');
  letGo();
  await expectText(cell('volume'), /\d/);
  await expectCount(grid().getBySelector('[role=gridcell][data-column="volume"]').filter({ hasText: '…' }), 0);
});

test('a failed request is named with its reason; the rest is shown with its own age', async () => {
  mount('/', {
    change: changing(/all-products$|\/product\/data\/$/, toProblem('venue-unreachable', 'The connection was refused.')),
  });
  for (const place of ['status', 'main'] as const)
    await expectToContain(page.getByRole(place), '24 h volume, Last prices not loaded. The connection was refused.');
  await expectCount(page.getByRole('button', { name: 'Try again' }), 1);
  await expectText(cell('volume'), '–');
  await expectText(cell('openInterest'), /\d/);
  // Open interest changes once a day.
  vi.setSystemTime(RECORDED_AT + 180_000);
  await expect.element(page.getByText(/3 min old · refreshes every 15 min/)).toBeVisible();
  await expectCount(page.getByText(/stale, /), 0);
});

test('a notice says when only the first page of funding rates was read', async () => {
  await openMarkets('/', {
    change: changing(
      /\/funding-rates\/\?limit/,
      toBody(({ data }: { readonly data: readonly Row[] }) => ({
        data: data.slice(0, 3),
        pagination: { cursor: 'more' },
      })),
    ),
  });
  await expectToContain(
    page.getByRole('main'),
    'Funding rates incomplete. The exchange returned more than one page; only the first is shown.',
  );
});

test('a sum over some of the products says how many', async () => {
  await openMarkets('/', {
    change: changing(
      TRAILING,
      toBody((rows: readonly Row[]) => rows.slice(0, 20)),
    ),
  });
  expect(products().elements()).toHaveLength(71);
  // The first twenty rows include one spread, and one product whose values are withheld; there are 41 perpetuals and
  // futures.
  await expectToContain(footer(), '(18 of 41 products)');
});

test('a settled rate that was left out is not said to be on a further page', async () => {
  const late = (row: Row): Row =>
    row['product_id'] === 5_614 ? { ...row, interval_end: new Date(RECORDED_AT + 86_400_000).toISOString() } : row;
  await openMarkets('/', {
    change: changing(
      /\/funding-rates\/\?limit/,
      toBody(({ data }: { readonly data: readonly Row[] }) => ({
        data: data.map(late),
        pagination: { cursor: 'more' },
      })),
    ),
  });
  await expectToContain(page.getByRole('main'), 'Funding rates: 1 row left out. It failed validation.');
  await expectCount(page.getByText('Funding rates incomplete.'), 0);
});
