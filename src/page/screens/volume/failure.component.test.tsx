import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { changing, toBody, toProblem, unreachable } from '#testing/component/change-answers.ts';
import { open } from '#testing/component/mount.tsx';
import { returnAfter } from '#testing/component/return-after.ts';
import { address, expectCount, expectToContain } from '#testing/component/screen.ts';

const READS = /\/charts\/voi/;
const MONTH = '/volume/PBTCUCZ50?range=1M';

const main = page.getByRole('main');
const chart = page.getByRole('application');
const failure = main.getBySelector('section[data-level]');

it('leaves the chart, dimmed, with age and reason, when a later request fails, and recovers by itself', async () => {
  let isDown = false;
  await open(MONTH, { change: changing(READS, (answer) => (isDown ? unreachable(answer) : answer)) });
  await expect.element(chart).toBeVisible();
  isDown = true;
  returnAfter(65_000);
  await expectToContain(main, 'Stale. Showing the last good data. The connection was refused.');
  await expect.element(chart).toBeVisible();
  await expect.element(page.getByText(/^stale, .* old/).first()).toBeVisible();
  isDown = false;
  returnAfter(31_000);
  await expectCount(main.getByText('Stale.'), 0);
});

it('says over data that wait for the request budget from when they are, and when the next ones come', async () => {
  let isSpent = false;
  await open(MONTH, {
    change: changing(READS, (answer) =>
      isSpent ? toProblem('budget-spent', 'The next request may go out in 90 s.', { retryAfter: 90 })(answer) : answer,
    ),
  });
  await expect.element(chart).toBeVisible();
  isSpent = true;
  returnAfter(65_000);
  await expect
    .element(main.getByText(/^Volume and open interest of \d\d:\d\d:\d\d UTC, next update in (?:1 min|\d+ s)$/))
    .toBeVisible();
  await expectCount(main.getByText('Stale.'), 0);
  await expectCount(main.getBySelector('[data-stale=true]'), 0);
  isSpent = false;
  returnAfter(90_000);
  await expectCount(main.getByText(/next update in/), 0);
});

it('says what happened where there is no response, and retries on request', async () => {
  let isDown = true;
  await open(MONTH, { change: changing(READS, (answer) => (isDown ? unreachable(answer) : answer)) });
  await expectToContain(failure, 'The connection was refused.');
  isDown = false;
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect.element(chart).toBeVisible();
});

it('fails as a whole where one product of a stack cannot be read: the stack would be too low', async () => {
  await open('/volume?series=BUS&as=stacked&range=1M', { change: changing(/product_id=15120&begin/, unreachable) });
  await expectToContain(failure, 'The connection was refused.');
  await expectCount(chart, 0);
});

it('has n/a, and says why, on a day on which one product of a stack has no row', async () => {
  const withoutDay = toBody((rows: readonly { readonly date: string }[]) =>
    rows.filter(({ date }) => date !== '2026-08-13'),
  );
  await open('/volume/PBTCUCZ50,PETHUIZ50?as=stacked&range=1M&view=table', {
    change: changing(/voi\?product_id=5608&begin/, withoutDay),
  });
  await expect
    .element(page.getByText('Total open interest not shown for 13 Aug 2026: PETHUIZ50 missing.'))
    .toBeVisible();
  await expectCount(page.getByRole('cell', { name: 'n/a', exact: true }), 1);
});

it('rejects a response of the wrong shape, and shows it', async () => {
  await open(MONTH, { change: changing(READS, (answer) => ({ ...answer, text: '"closed"' })) });
  await expect.element(failure).toBeVisible();
  await expectCount(chart, 0);
  await page.getByText('Raw response', { exact: true }).click();
  await expect.element(page.getByText('"closed"', { exact: true })).toBeVisible();
});

it('names an unknown symbol', async () => {
  await open('/volume/NOTHING');
  await expect.element(page.getByRole('heading', { name: 'No product “NOTHING”' })).toBeVisible();
});

it('is empty where no session settled, and leads to all data', async () => {
  await open('/volume/PBTCUCZ50?from=2001-01-01&to=2001-02-01');
  await expect.element(page.getByRole('heading', { name: 'No session settled in this range' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all data' }).click();
  await expect.element(chart).toBeVisible();
  expect(address()).toBe('/volume/PBTCUCZ50?range=All');
});
