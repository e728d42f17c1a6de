import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import { address, expectCount, expectText, expectToContain, press, textsOf } from '#testing/component/screen.ts';
import {
  cellOf,
  changePrints,
  choice,
  compared,
  expectAllPredicted,
  failFunding,
  figureNote,
  rows,
  showColumns,
} from '#testing/component/funding-page.ts';

/** The settled rate and its sums over 24 h, 7 d, 30 d and 90 d, added up from the recorded answer. */
const SUMS = [
  ['BTCUC', ['+0.0100', 'longs pay', '+0.0300', '+0.2100', '+0.5575', '+2.8661']],
  ['ETHUI', ['−0.0237', 'shorts pay', '−0.0037', '+0.1955', '+0.4873', '+2.2655']],
  ['XTZUK', ['+0.0100', 'longs pay', '+0.0300', '−0.0571', '+1.5516', '+2.4298']],
  // TRXUK was listed five days ago.
  ['TRXUK', ['+0.0100', 'longs pay', '+0.0300', '+0.1600', '+0.1600', '+0.1600']],
] as const;

it('shows of each perpetual its settled rate, tinted by who pays, and exact sums', async () => {
  showColumns(['settled', 'pays', 'sum-24h', 'sum-7d', 'sum-30d', 'sum-90d']);
  await open('/funding');
  await expectCount(rows(), 17);
  for (const [symbol, figures] of SUMS)
    for (const [at, column] of ['settled', 'pays', 'sum-24h', 'sum-7d', 'sum-30d', 'sum-90d'].entries())
      await expectText(cellOf(symbol, column), figures[at] ?? '');
  await expect.element(cellOf('ETHUI', 'settled')).toHaveAttribute('data-tone', 'shorts-1');
  await expect.element(cellOf('AVEUS', 'settled')).toHaveAttribute('data-tone', 'longs-1');
  // Most rates equal the interest rate and are neutral.
  await expect.element(cellOf('BTCUC', 'settled')).not.toHaveAttribute('data-tone');
  await expect.element(page.getByText('+ longs pay shorts').first()).toBeVisible();
  await expect.element(page.getByText(/\d+ s old · refreshes every 30 s/)).toBeVisible();
});

it('sums the rates settled in a custom window, both days included', async () => {
  showColumns(['sum-custom', 'coverage'], 'funding-own-days');
  await open('/funding');
  await page.getByRole('radio', { name: 'Custom' }).click();
  await page.getByLabelText('From', { exact: true }).fill('2026-07-08');
  await page.getByLabelText('To', { exact: true }).fill('2026-07-17');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect.poll(address).toContain('from=2026-07-08&to=2026-07-17');
  for (const [symbol, sum] of [
    ['BTCUC', '+0.0501'],
    ['ETHUI', '+0.0821'],
    ['SHBUN', '+0.1174'],
  ] as const) {
    await expectText(cellOf(symbol, 'sum-custom'), sum);
    await expectText(cellOf(symbol, 'coverage'), '30 of 30');
  }
  await expect
    .element(page.getByRole('region', { name: 'Funding rates, custom range', exact: true }))
    .toBeInTheDocument();
});

it('shows settled and predicted rates per interval, per day, as APR and as APY', async () => {
  await open('/funding');
  await expectAllPredicted();
  // The annual form of the predicted −0.016168 % is −0.00016168 × 1,095.
  await expectText(cellOf('BTCUC', 'form'), '+10.95');
  await expectText(cellOf('ETHUI', 'estimate-form'), '−17.70');
  await page.getByRole('radio', { name: 'APY' }).click();
  await expectText(cellOf('BTCUC', 'form'), '+11.57');
  await expect.element(compared().getByRole('columnheader', { name: /^Last settled APY/ })).toBeVisible();
  await page.getByRole('radio', { name: 'per day' }).click();
  await expectText(cellOf('BTCUC', 'form'), '+0.0300');
  await expectText(cellOf('ETHUI', 'estimate-form'), '−0.0485');
  await expect.element(compared().getByRole('columnheader', { name: /^Predicted daily rate/ })).toBeVisible();
  await page.getByRole('radio', { name: 'per 8 h', exact: true }).click();
  for (const column of ['form', 'estimate-form']) await expectCount(cellOf('ETHUI', column), 0);
  await expectText(cellOf('ETHUI', 'settled'), '−0.0237');
  await expectText(cellOf('ETHUI', 'estimate'), '−0.0162');
});

it('says once when all settle next, and how much of the weight of the predicted rates is in', async () => {
  await open('/funding');
  // Four and a half of eight hours, truncated; the weight grows with the square.
  await expect
    .element(page.getByText('Next funding in 3:30:00 · 31.6 % of the weight is in (56.2 % of the time)'))
    .toBeVisible();
});

it('shows by the keyboard which settled rates a figure was read from', async () => {
  await open('/funding?sort=symbol&form=interval');
  await compared().click({ position: { x: 2, y: 2 } });
  await press('Control+Home', 'ArrowDown', ...Array<string>(5).fill('ArrowRight'), 'i');
  await expectToContain(figureNote(), 'prints.funding_rate');
  await expectToContain(figureNote(), 'GET /api/desk/funding?begin_time=2026-05-18');
  await press('Escape', ...Array<string>(4).fill('ArrowRight'), 'i');
  await expect.poll(() => textsOf(figureNote()).join()).toMatch(/Mean of \d+ of \d+ settled rates/);
  await expectToContain(figureNote(), 'desk/funding prints.funding_rate = ');
});

it('sorts missing figures last in both directions', async () => {
  showColumns(['settled', 'sum-7d']);
  await open('/funding', { change: changePrints('SHBUN', () => []) });
  const sum = compared().getByRole('columnheader', { name: /^7 d sum/ });
  const symbols = () => textsOf(rows().getByRole('link'));
  for (const [sort, first] of [
    ['-sum-7d', 'ADAUK'],
    ['sum-7d', 'XTZUK'],
  ] as const) {
    await sum.click();
    await expect.poll(address).toBe(`/funding?sort=${sort}`);
    await expect.poll(() => [symbols()[0], symbols().at(-1)]).toEqual([first, 'SHBUN']);
  }
  await expectText(cellOf('SHBUN', 'settled'), '–');
});

it('inverts signs and percentiles for a long position, and names the sign convention', async () => {
  showColumns(['settled', 'percentile']);
  await open('/funding');
  await expectText(cellOf('ETHUI', 'settled'), '−0.0237');
  await expectText(cellOf('ETHUI', 'percentile'), '54.6');
  await page.getByRole('radio', { name: 'Long position' }).click();
  await expectText(cellOf('ETHUI', 'settled'), '+0.0237');
  await expectText(cellOf('ETHUI', 'percentile'), '45.4');
  await expect.element(page.getByText('Long position: + received, − paid').first()).toBeVisible();
  await page.getByRole('radio', { name: 'Short position' }).click();
  await expectText(cellOf('ETHUI', 'settled'), '−0.0237');
});

it('sorts by the column that its address names, which is then there', async () => {
  await open('/funding?sort=-sum-30d');
  await expect
    .element(compared().getByRole('columnheader', { name: /^30 d sum/ }))
    .toHaveAttribute('aria-sort', 'descending');
});

it('says that it ignores a range that cannot be shown, until another is chosen', async () => {
  await open('/funding?from=2026-08-10&to=2026-08-01');
  const note = page.getByRole('note').filter({ hasText: 'Range of the address ignored.' });
  await expectText(note, 'Range of the address ignored. Its end, 2026-08-01, is before its start, 2026-08-10.');
  await expect.element(page.getByRole('region', { name: 'Funding rates, last 7 d' })).toBeVisible();
  await choice('Range', '30d').click();
  await expectCount(note, 0);
});

const CHOICES = [
  ['Rate unit', 'APY'],
  ['Range', '30d'],
  ['Rank by', 'Std dev'],
  ['Sign convention', 'Short position'],
  ['Measure', 'Cumulative sum'],
  ['Heatmap range', '90d'],
] as const;

it('keeps every choice in its address', async () => {
  await open('/funding');
  await page.getByRole('checkbox', { name: 'Chart BTCUC' }).click();
  for (const [group, name] of CHOICES) await choice(group, name).click();
  await expect.element(page.getByRole('region', { name: 'Funding heatmap, last 90 d' })).toBeVisible();
  await page.getByLabelText('Long', { exact: true }).selectOptions('SOLUS');
  await page.getByTestId('legend').first().getByRole('button', { name: 'BTCUC' }).click();
  await expect
    .poll(() => Object.fromEntries(new URL(location.href).searchParams))
    .toEqual({
      ...{ pick: 'BTCUC', form: 'apy', range: '30d', rank: 'stability', side: 'short' },
      ...{ show: 'sum', heat: '270', long: 'SOLUS', hide: 'BTCUC' },
    });
});

it('restores every choice from its address', async () => {
  await open(
    '/funding?pick=BTCUC,ETHUI&form=apy&range=30d&rank=stability&side=short&show=sum&heat=270&long=SOLUS&hide=BTCUC',
  );
  for (const [group, name] of CHOICES) await expect.element(choice(group, name)).toBeChecked();
  for (const symbol of ['BTCUC', 'ETHUI'])
    await expect.element(page.getByRole('checkbox', { name: `Chart ${symbol}` })).toBeChecked();
  await expect.element(page.getByLabelText('Long', { exact: true })).toHaveValue('SOLUS');
  const legend = page.getByTestId('legend').first();
  await expect.element(legend.getByRole('button', { name: 'BTCUC' })).toHaveAttribute('aria-pressed', 'false');
  await expect.element(legend.getByRole('button', { name: 'ETHUI' })).toHaveAttribute('aria-pressed', 'true');
});

it('shows an error where settled rates cannot be read, and recovers with Try again', async () => {
  const isDown = vi.fn<() => boolean>(() => true);
  await open('/funding', { change: failFunding(isDown) });
  const again = page.getByRole('button', { name: 'Try again' });
  await expect.element(again).toBeVisible();
  isDown.mockReturnValue(false);
  await again.click();
  await expectCount(rows(), 17);
  await expectCount(again, 0);
});
