import { expect, it } from 'vitest';
import { changing, toBody } from '#testing/component/change-answers.ts';
import { open, type Change } from '#testing/component/mount.tsx';
import { expectCount, expectText, expectToContain, exportMenu, press } from '#testing/component/screen.ts';
import { cellOf, failAt, figureNote, rows, saveLines, showColumns } from '#testing/component/funding-page.ts';

const COLUMNS = ['rank', 'prediction-error', 'prediction-bias', 'prediction-sign'] as const;

/** Bitcoin settled at +0.0100 % per 8 h at both times. */
const estimates = [
  { base_symbol: 'BTCUC', interval_end: '2026-08-17T08:00:00Z', share: 0.48, estimate: 0.00015 },
  { base_symbol: 'BTCUC', interval_end: '2026-08-17T00:00:00Z', share: 0.49, estimate: -0.0001 },
  { base_symbol: 'ETHUI', interval_end: '2026-08-17T00:00:00Z', share: 0.74, estimate: -0.0001 },
].map((estimate) => ({ ...estimate, settled: null, read_at: '2026-08-17T03:50:00Z' }));

const NEAR_POINTS = /\/desk\/estimates\?.*near_points/;
const records: Change = changing(
  NEAR_POINTS,
  toBody(() => ({ estimates })),
);

it('shows error, bias and right signs of predictions, with their coverage, in the unit of the screen', async () => {
  showColumns(COLUMNS);
  await open('/funding?form=interval', { change: records });
  await expectText(cellOf('BTCUC', 'prediction-error'), '0.0125');
  await expectText(cellOf('BTCUC', 'prediction-bias'), '−0.0075');
  await expectText(cellOf('BTCUC', 'prediction-sign'), '50.0 · 2 of 21');
  // ETHUI has a prediction, but none in the middle of an interval: missing is not zero.
  for (const id of COLUMNS.slice(1)) await expectText(cellOf('ETHUI', id), '–');
  await cellOf('BTCUC', 'prediction-bias').click();
  await press('i');
  await expectToContain(figureNote(), 'Mean of predicted − settled rate at 50 % of the interval, of 2 predictions');
});

it('reads predictions only while a column shows them', async () => {
  const read: string[] = [];
  const notes: Change = (answer) => {
    if (NEAR_POINTS.test(answer.target)) read.push(answer.target);
    return answer;
  };
  await open('/funding', { change: notes });
  await expectCount(rows(), 17);
  const { lines } = await saveLines(exportMenu('table'));
  expect(Object.keys(lines[0] ?? {}).filter((name) => name.includes('_point_'))).toEqual([]);
  expect(read).toEqual([]);
  await open('/funding?sort=prediction-error', { change: notes });
  await expectText(cellOf('BTCUC', 'prediction-error'), '–');
  expect(read).toHaveLength(1);
});

it('says why predictions are missing', async () => {
  showColumns(COLUMNS);
  await open('/funding', { change: failAt('near_points') });
  await expectText(cellOf('BTCUC', 'prediction-error'), '–');
  await cellOf('BTCUC', 'prediction-error').click();
  await press('i');
  await expectToContain(figureNote(), 'The connection was refused.');
  const { lines } = await saveLines(exportMenu('table'));
  expect(lines[0]).toMatchObject({
    predicted_rate_error_per_8h_fraction_point_50: '',
    predicted_rates_missing_because: expect.stringContaining('The connection was refused.') as string,
  });
});

it('saves the figures per interval, whatever the unit of the screen', async () => {
  showColumns(COLUMNS);
  await open('/funding?form=apr&side=long', { change: records });
  await expectText(cellOf('BTCUC', 'prediction-bias'), '+8.21');
  const { lines } = await saveLines(exportMenu('table'));
  expect(lines.find((line) => line['base_symbol'] === 'BTCUC')).toMatchObject({
    predicted_rate_error_per_8h_fraction_point_50: '0.000125',
    predicted_rate_bias_per_8h_fraction_point_50: '0.000075',
    predicted_sign_right_fraction_point_50: '0.5',
    predicted_rates_point_50: '2',
    predicted_and_settled_rates_point_50: '21',
    predicted_rates_missing_because: '',
  });
});
