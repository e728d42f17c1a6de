import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { changing, stale, toBody, unreachable } from '#testing/component/change-answers.ts';
import { mount, open } from '#testing/component/mount.tsx';
import { returnAfter } from '#testing/component/return-after.ts';
import { expectCount, expectText, expectToContain, textsOf } from '#testing/component/screen.ts';
import { chart, header, openPrice, PRICES, VOLUMES } from '#testing/component/price-page.ts';

const main = page.getByRole('main');
const ESTIMATE = /\/funding-rates\/estimated\//;

it('leaves the chart, dimmed, with age and reason, when a later request fails, and recovers by itself', async () => {
  let isDown = false;
  await openPrice('?range=1M', { change: changing(PRICES, (answer) => (isDown ? unreachable(answer) : answer)) });
  isDown = true;
  returnAfter(65_000);
  await expectToContain(main, 'Stale. Showing the last good data. The connection was refused.');
  await expect.element(chart()).toBeVisible();
  await expect.element(page.getByText(/^stale, .* old/).first()).toBeVisible();
  isDown = false;
  returnAfter(31_000);
  await expectCount(main.getByText('Stale.'), 0);
});

it('is as old as either product where two are compared', async () => {
  await open('/price/PBTCUCZ50?vs=PETHUIZ50', { change: changing(/\/charts\/price\/5608\?/, stale) });
  const panel = page.getByRole('region', { name: 'PBTCUCZ50 and PETHUIZ50, rebased to 100' });
  await expectToContain(panel, 'Stale. Showing the last good data.');
  await expect.element(panel.getBySelector('[data-freshness]')).toHaveAttribute('data-freshness', 'stale');
  await expect.element(panel.getBySelector('[data-stale=true]')).toBeVisible();
});

it('says what happened where there are no prices, and retries on request', async () => {
  let isDown = true;
  await open('/price/PBTCUCZ50', { change: changing(PRICES, (answer) => (isDown ? unreachable(answer) : answer)) });
  const failure = main.getBySelector('section[data-level]');
  await expectToContain(failure, 'The connection was refused.');
  for (const figure of ['24 h volume', 'Open interest'])
    await expect.element(header().getByText(figure).first()).toBeVisible();
  // The value of open interest is enough to check the tick size.
  await expectText(header().getBySelector('dl > div').filter({ hasText: /^Mark/ }).getByRole('button'), '110,070');
  await expectCount(page.getBySelector('[aria-live=polite]').filter({ hasText: 'The connection was refused.' }), 1);
  await expectCount(page.getByRole('alert'), 0);
  isDown = false;
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect.element(chart()).toBeVisible();
});

it('shows prices without open interest, and says what is missing', async () => {
  await open('/price/PBTCUCZ50', { change: changing(VOLUMES, unreachable) });
  await expect.element(chart()).toBeVisible();
  await expect.element(page.getByText('Open interest not loaded: The connection was refused.')).toBeVisible();
});

it('names figures of the header that are missing or old, with the reason', async () => {
  let failing = '/stats/trailing/';
  await open('/price/PBTCUCZ50', {
    change: (answer) => (answer.target.includes(failing) ? unreachable(answer) : answer),
  });
  const note = header().getByRole('note');
  await expectText(note, 'Not loaded. 24 h volume: The connection was refused.');
  failing = 'nothing';
  returnAfter(31_000);
  await expectCount(note, 0);
  failing = '/funding-rates/?';
  returnAfter(65_000);
  await expectText(note, 'Stale. Last funding, index and mark: The connection was refused.');
  await expectToContain(header(), 'Mark');
});

it('gives the age of figures whose responses a cache has held for hours, and of no others', async () => {
  await openPrice('', {
    change: changing(/\/stats\/trailing\/|\/product\/data\/\d+$/, (answer) => ({
      ...answer,
      headers: { ...answer.headers, age: '7200' },
    })),
  });
  const aged = header().getBySelector('dl > div').filter({ hasText: / old$/ });
  await expect
    .poll(() => textsOf(aged).map((text) => text.replaceAll(/\s+/g, ' ')))
    .toEqual([
      'Last USD 109,235.00 2 h 00 min old',
      'Since settlement USD / % −960.00 / −0.87 2 h 00 min old',
      '24 h volume contracts / USD 4,113 / 4,543,999 2 h 00 min old',
    ]);
  await expectCount(header().getBySelector('[data-old]'), 3);
  await expectCount(header().getByRole('note'), 0);
});

it('names a predicted rate that cannot be read, and the countdown goes on', async () => {
  await open('/price/PBTCUCZ50', { change: changing(ESTIMATE, unreachable) });
  await expectText(header().getByRole('note'), 'Not loaded. Predicted rate: The connection was refused.');
  await expect.element(header().getByText('Last rate % per 8 h')).toBeVisible();
  await expectText(
    header().getBySelector('dl > div').filter({ hasText: 'Next in' }),
    /16:00 UTC\s+3:(?:30:00|29:\d\d)$/,
  );
});

it('calls a predicted rate overdue once its interval is over', async () => {
  await open('/price/PBTCUCZ50', {
    change: changing(
      ESTIMATE,
      toBody((row: object) => ({
        ...row,
        interval_start: '2026-08-16T16:00:00Z',
        interval_end: '2026-08-17T00:00:00Z',
      })),
    ),
  });
  await expectText(
    header().getByRole('note'),
    'Overdue. Predicted rate: Its interval has ended, and the next predicted rate has not arrived.',
  );
  await expectToContain(header().getBySelector('dl > div[data-old]'), 'Predicted rate');
});

it('says that it is loading in the chart’s place until the first response', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  mount('/price/PBTCUCZ50', {
    change: changing(PRICES, async (answer) => {
      await promise;
      return answer;
    }),
  });
  await expect
    .element(page.getByRole('region', { name: 'PBTCUCZ50, prices' }).getByText('Loading…'))
    .toBeInTheDocument();
  resolve(undefined);
  await expect.element(chart()).toBeVisible();
});
