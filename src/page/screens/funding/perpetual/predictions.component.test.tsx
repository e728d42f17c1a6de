import { expect, it } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { changing, toBody } from '#testing/component/change-answers.ts';
import { open, type Change } from '#testing/component/mount.tsx';
import { expectCount, expectText, expectToContain, exportMenu, press, textsOf } from '#testing/component/screen.ts';
import { changePerpetuals, failAt, figureNote, focusOn, saveLines } from '#testing/component/funding-page.ts';

const BTC = '/funding/BTCUC';
/** The newest settled rates, newest first. */
const SETTLED = [0.0002, -0.0001, 0.0003] as const;
const ENDS = ['2026-08-17T08:00:00Z', '2026-08-17T00:00:00Z', '2026-08-16T16:00:00Z'] as const;
const panel = (): Locator => page.getByRole('region', { name: 'Predictions', exact: true });
const table = (): Locator => panel().getByRole('table', { name: 'Prediction error' });
const list = (): Locator => panel().getByRole('grid', { name: 'Predictions and settled rates' });
const column = (id: string): Locator => list().getBySelector(`[role=gridcell][data-column="${id}"]`);
const cells = (point: number): readonly string[] =>
  textsOf(table().getByRole('row').nth(point).getBySelector('td')).map((text) => text.trim());

const settles: Change = changePerpetuals((perpetual) => ({
  ...perpetual,
  prints: perpetual.prints.map((print, at) => ({ ...print, funding_rate: SETTLED[at] ?? print.funding_rate })),
}));

interface Predicted {
  readonly end: string;
  readonly share: number;
  readonly estimate: number;
}

const TWO: readonly Predicted[] = [
  { end: ENDS[0], share: 0.49, estimate: 0.00025 },
  { end: ENDS[0], share: 0.46, estimate: 0.5 },
  { end: ENDS[1], share: 0.5, estimate: 0.0001 },
  { end: ENDS[2], share: 0.44, estimate: 0.7 },
];

function records(predicted: readonly Predicted[]): Change {
  const estimates = predicted.map(({ end, share, estimate }) => ({
    base_symbol: 'BTCUC',
    interval_end: end,
    share,
    estimate,
    settled: null,
    read_at: new Date(Date.parse(end) - (1 - share) * 8 * 3_600_000).toISOString(),
  }));
  return changing(
    /\/desk\/estimates\?.*near_points/,
    toBody(() => ({ estimates })),
  );
}

function both(...changes: readonly Change[]): Change {
  return async (answer, sent) => {
    let changed = answer;
    for (const change of changes) changed = await change(changed, sent);
    return changed;
  };
}

it('shows bias, absolute error, right signs and coverage at each point of the interval, and a list of them', async () => {
  await open(`${BTC}?form=interval`, { change: both(settles, records(TWO)) });
  await expectCount(table().getByRole('row'), 5);
  // Errors of +0.00005 and +0.0002.
  expect(cells(2)).toEqual(['50', '25', '+0.0125', '0.0125', '50.0', '2 of 90']);
  // Missing is not zero.
  expect(cells(1)).toEqual(['25', '6', '–', '–', '–', '0 of 90']);
  await expectToContain(panel(), 'Read every 24 min, also while no screen shows it');
  await expectToContain(
    panel(),
    'No predictions to compare before 2026-08-16 11:31:12 UTC: 87 settled rates of the range are',
  );
  expect(textsOf(column('predicted-50')).slice(0, 3)).toEqual(['+0.0250', '+0.0100', '–']);
  expect(textsOf(column('error-50')).slice(0, 3)).toEqual(['+0.0050', '+0.0200', '–']);
});

it('follows the rate unit and the sign convention', async () => {
  await open(`${BTC}?form=apr&side=long`, { change: both(settles, records(TWO)) });
  await expect.poll(() => cells(2)).toEqual(['50', '25', '−13.69', '13.69', '50.0', '2 of 90']);
  await expectToContain(panel(), 'Long position: + received, − paid.');
});

it('explains each figure by keyboard, also why one is missing', async () => {
  await open(BTC, { change: both(settles, records(TWO)) });
  await focusOn(table().getByRole('row').nth(2).getByRole('button').first());
  await press('i');
  await expectToContain(figureNote(), '2 of 90 settled rates have a prediction at 50 %');
  await press('Escape');
  await column('error-25').first().click();
  await press('i');
  await expectToContain(figureNote(), 'No predicted rate was read in the 5 % of the interval before 25 %.');
});

it('compares with a revised rate as last published, and marks it', async () => {
  const revised = changePerpetuals((perpetual) => ({
    ...perpetual,
    revised: [
      {
        interval_end: ENDS[0],
        is_withdrawn: false,
        before: { ...perpetual.prints[0], funding_rate: 0.0009 },
        noticed_at: '2026-08-17T09:00:00Z',
      },
    ],
  }));
  await open(`${BTC}?form=interval`, { change: both(settles, revised, records(TWO)) });
  await expectText(column('error-50').first(), '+0.0050');
  await expectText(column('remark').first(), /revised/);
});

it('saves every settled rate with its predictions, as exact fractions, with what they mean and where they are from', async () => {
  await open(`${BTC}?side=long`, { change: both(settles, records(TWO)) });
  const { name, lines } = await saveLines(exportMenu('predictions'));
  expect(name).toBe('predictions-long-BTCUC-30d.csv');
  expect(lines).toHaveLength(90);
  expect(lines[0]).toMatchObject({
    base_symbol: 'BTCUC',
    settled_rate_per_8h_fraction: '-0.0002',
    predicted_rate_per_8h_fraction_point_50: '-0.00025',
    predicted_rate_error_per_8h_fraction_point_50: '-0.00005',
    elapsed_fraction_point_50: '0.49',
    predicted_rate_read_at_point_50: '2026-08-17T03:55:12.000000000Z',
    predicted_rate_per_8h_fraction_point_25: '',
    predicted_rate_error_per_8h_fraction_point_25: '',
    sign: 'positive: a long position receives',
  });
  expect(lines[0]?.['request']).toContain('/api/desk/estimates');
  expect(lines[0]?.['settled_rate_request']).toContain('/api/desk/funding');
});

it('says when the first comparison comes if none has settled, and why if they cannot be read', async () => {
  const next = '2026-08-17T16:00:00Z';
  await open(BTC, { change: records([{ end: next, share: 0.5, estimate: 0.0001 }]) });
  await expectToContain(panel(), 'No predictions to compare before 2026-08-17 12:00:00');
  await expectToContain(panel(), 'The first comparison comes at 2026-08-17 16:00:00');
  await expectCount(table(), 0);
  await open(BTC, { change: records([]) });
  await expectToContain(panel(), 'No predictions to compare in this range');
  await open(BTC, { change: failAt('near_points') });
  await expectToContain(panel(), 'The connection was refused.');
});
