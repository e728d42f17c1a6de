import { expect, it } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import { expectText, expectToContain, exportMenu, textsOf } from '#testing/component/screen.ts';
import { expectAllPredicted, saveLines } from '#testing/component/funding-page.ts';

const leg = (name: string): Locator => page.getByLabelText(name, { exact: true });
const summary = (long: string, short: string): Locator =>
  page.getByText(new RegExp(`^Long ${long}, short ${short}: `)).first();
const pair = (): Locator => page.getByRole('region', { name: /^Funding spread/ });

it('has one sign: spread, carry and predicted spread are positive where the pair receives, and swapping inverts them', async () => {
  await open('/funding');
  await expectAllPredicted();
  expect(textsOf(leg('Long').getBySelector('option'))).toEqual(textsOf(leg('Long').getBySelector('option')).toSorted());
  expect(leg('Long').getBySelector('option').elements()).toHaveLength(17);
  await leg('Long').selectOptions('ETHUI');
  await leg('Short').selectOptions('BTCUC');
  // Sums of seven days: 0.210000 of the short leg minus 0.195485 of the long one.
  await expectToContain(summary('ETHUI', 'BTCUC'), 'carry +0.0145 %');
  await expectToContain(summary('ETHUI', 'BTCUC'), '21 of 21 intervals in common');
  // Latest rates: 0.010000 minus −0.023691. Predicted rates: 0.010000 minus −0.016168.
  await expect.poll(() => textsOf(pair().getByTestId('legend')).join()).toMatch(/Spread received\s*\+0\.0337/);
  await expectToContain(pair().getByTestId('predicted-spread'), 'not settled');
  await expectText(pair().getByTestId('predicted-spread').getByRole('button').first(), '+0.0262');
  await page.getByRole('button', { name: 'Swap' }).click();
  await expectToContain(summary('BTCUC', 'ETHUI'), 'carry −0.0145 %');
  await expectText(pair().getByTestId('predicted-spread').getByRole('button').first(), '−0.0262');
});

it('saves one spread, of the sign that the chart has', async () => {
  await open('/funding');
  await leg('Long').selectOptions('ETHUI');
  await leg('Short').selectOptions('BTCUC');
  await expectToContain(summary('ETHUI', 'BTCUC'), 'carry +0.0145 %');
  const { lines } = await saveLines(exportMenu('spread'));
  const [first = {}] = lines;
  expect(Object.keys(first).filter((name) => name.includes('spread'))).toEqual(['spread_received_per_8h_fraction']);
  const read = (name: string): number => Number(first[name]);
  const received = read('spread_received_per_8h_fraction');
  expect(received).toBeCloseTo(
    read('short_settled_rate_per_8h_fraction') - read('long_settled_rate_per_8h_fraction'),
    12,
  );
  expect(read('carry_so_far_fraction')).toBe(received);
});

it('is by default that which received most over all intervals, of all or of those selected', async () => {
  await open('/funding?range=90d');
  await expectToContain(summary('BCHUS', 'XRPUH'), 'carry +2.1637 % of one leg’s notional over 90 d');
  await expectToContain(summary('BCHUS', 'XRPUH'), '270 of 270 intervals in common');
  // TRXUK is not among them, because it was listed five days ago.
  await expect
    .element(page.getByText('Suggested pair: lowest against highest mean of the range, of all 17'))
    .toBeVisible();
  for (const symbol of ['SHBUN', 'BTCUC']) await page.getByRole('checkbox', { name: `Chart ${symbol}` }).click();
  await expectToContain(summary('BTCUC', 'SHBUN'), 'carry +0.2450 %');
  await expect.element(page.getByText(/^Suggested pair: .*, of the 2 selected$/)).toBeVisible();
});

it('gives a chosen leg the best other one, and a single selected perpetual none', async () => {
  await open('/funding?range=90d');
  await leg('Long').selectOptions('XRPUH');
  await expect.element(leg('Short')).toHaveValue('DOGUK');
  await expectToContain(summary('XRPUH', 'DOGUK'), 'carry −0.0333 %');
  await open('/funding?pick=SHBUN');
  await expect.element(page.getByText('Choose two different perpetuals')).toBeVisible();
});
