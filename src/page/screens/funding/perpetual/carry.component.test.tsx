import { expect, it } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import {
  address,
  expectCount,
  expectText,
  expectToContain,
  exportMenu,
  press,
  textsOf,
} from '#testing/component/screen.ts';
import { choice, figureNote, focusOn, saveLines } from '#testing/component/funding-page.ts';

const BTC = '/funding/BTCUC';
const sum = (): Locator => page.getByTestId('carry-sum');
const position = (name: string): Locator =>
  page.getByRole('group', { name: 'Position' }).getByRole('radio', { name, exact: true });

/** Returns the exact sum from its tooltip. */
async function readExactSum(): Promise<string> {
  await focusOn(sum().getByRole('button').first());
  await press('i');
  const fact = figureNote()
    .getBySelector('dl > div')
    .filter({ has: page.getByText('Exact', { exact: true }) })
    .getBySelector('dd');
  await expect.element(fact).toBeVisible();
  const [text = ''] = textsOf(fact);
  await press('Escape');
  await expectCount(figureNote(), 0);
  return text.replace(' USD', '');
}

/** Converts a plain decimal to a whole number of units of 1e-24. */
function toUnits(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(24, '0'));
  return text.startsWith('-') ? -units : units;
}

it('equals the sum of its payments to the last digit, long and short', async () => {
  await open(`${BTC}?contracts=7`);
  await expectToContain(sum(), '90 of 90');
  const long = await readExactSum();
  expect(toUnits(long)).toBeLessThan(0n);
  await position('Short').click();
  await expect.poll(() => textsOf(sum()).join()).toContain('received');
  const short = await readExactSum();
  expect(toUnits(short)).toBe(-toUnits(long));
  const { lines } = await saveLines(exportMenu('carry'));
  expect(lines.reduce((total, { payment_usd: payment = '' }) => total + toUnits(payment), 0n)).toBe(toUnits(short));
  await page.getByRole('radio', { name: 'Mark price' }).click();
  await expect.poll(address).toContain('price=mark_price');
  await expectToContain(page.getByTestId('carry-estimate'), 'not settled, not in the sum');
});

it('covers the 30 days before an end without a start, however long ago', async () => {
  await open(`${BTC}?to=2026-05-29T08:00`);
  await expectToContain(sum(), '90 of 90');
  expect(textsOf(sum()).join()).not.toMatch(/missing|not read/);
});

it('is that of the sign convention, unless another position is chosen', async () => {
  await open(BTC);
  const figure = sum().getByRole('button').first();
  await expectText(figure, /^−\d/);
  const [long = ''] = textsOf(figure);
  await page.getByRole('radio', { name: 'Short position' }).click();
  await expect.element(position('Short')).toBeChecked();
  await expectText(figure, long.replace('−', '+'));
  await position('Long').click();
  await expect.poll(address).toContain('side=short&hold=long');
  await expectText(figure, long);
});

it('shows apart from the sum, as an assumption, what a position would cost from here on', async () => {
  await open(`${BTC}?contracts=100`);
  const ahead = page.getByTestId('carry-ahead');
  await expectToContain(ahead, 'next 30 d, 90 intervals');
  expect(getComputedStyle(ahead.element()).borderStyle).toBe('dashed');
  const toNumber = (figure: Locator): number => Number(textsOf(figure)[0]?.replace('−', '-').replaceAll(',', ''));
  expect(toNumber(ahead.getByRole('button').first()) / 90).toBeCloseTo(
    toNumber(page.getByTestId('carry-estimate').getByRole('button').first()),
    3,
  );
  await focusOn(ahead.getByRole('button').nth(1));
  await press('i');
  await expectToContain(figureNote(), 'Assumption, no forecast: mean of the 90 settled rates of the last 30 days');
  await press('Escape');
  await page.getByLabelText('To, UTC', { exact: true }).fill('2026-08-27T12:30');
  // The funding times run from 16:00 on the 17th to 08:00 on the 27th.
  await expectToContain(ahead, 'rest of the period, 30 intervals');
});

it('needs no tick size for a notional in USD, which it takes where contracts cannot be valued', async () => {
  await open('/funding/SHBUN');
  const figures = () => textsOf(sum().getByRole('button')).slice(0, 2);
  await expect.element(choice('Size', 'In USD')).toBeChecked();
  // The rates of 30 days sum to 0.01486123, which a long position pays.
  await expect.poll(figures).toEqual(['−148.6123', '−1.4861']);
  await page.getByLabelText('Notional, USD').fill('250,000');
  await expect.poll(figures).toEqual(['−3,715.3075', '−1.4861']);
  await choice('Size', 'In contracts').click();
  await expectToContain(page.getByRole('main'), 'Choose a notional in USD instead.');
});

it('says that an empty end is now, and takes the word', async () => {
  await open(BTC);
  await expectToContain(sum(), '90 of 90');
  const end = page.getByLabelText('To, UTC', { exact: true });
  await expect.element(end).toHaveAttribute('placeholder', 'now');
  const before = textsOf(sum());
  await end.fill('2026-08-01');
  await expect.poll(() => textsOf(sum())).not.toEqual(before);
  await end.fill('now');
  await expect.poll(() => textsOf(sum())).toEqual(before);
});

it('lets the number of contracts be cleared and typed again, and says where it is invalid', async () => {
  await open(`${BTC}?contracts=1`);
  const contracts = page.getByLabelText('Contracts', { exact: true });
  await focusOn(contracts);
  await press('End', 'Backspace');
  await expect.element(contracts).toHaveValue('');
  await userEvent.keyboard('25');
  await expect.element(contracts).toHaveValue('25');
  await expect.poll(address).toMatch(/contracts=25$/);
  await open(`${BTC}?contracts=0`);
  await expectToContain(page.getByRole('main'), 'Carry not calculated. Contracts must be a whole number above zero.');
  await expectCount(
    page.getBySelector('[aria-live=polite]').filter({ hasText: 'Contracts must be a whole number above zero.' }),
    1,
  );
});
