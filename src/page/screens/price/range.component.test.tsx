import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { atPageTime } from '#testing/component/change-answers.ts';
import { open } from '#testing/component/mount.tsx';
import { address, expectCount, expectText, expectToContain, press, textsOf } from '#testing/component/screen.ts';
import {
  chart,
  choice,
  dateField,
  header,
  heading,
  openPrice,
  openTable,
  range,
  session,
  tableRows,
} from '#testing/component/price-page.ts';

const PAST = 'from=2026-06-18&to=2026-07-08';
const apply = page.getByRole('button', { name: 'Apply', exact: true });

it('has the same header figures whatever the range, and reads prices twice only for one that may lack some of them', async () => {
  const current = async (query: string): Promise<readonly string[]> => {
    const { requested } = await openPrice(query);
    await expectText(
      header()
        .getBySelector('dl > div')
        .filter({ hasText: /^Settlement USD/ }),
      'Settlement USD 16 Aug 2026\n110,195.00',
    );
    await expectToContain(
      header()
        .getBySelector('dl > div')
        .filter({ hasText: /^7 d \/ 30 d/ }),
      '+9.74 / +4.76',
    );
    return requested
      .filter((target) => target.includes('/charts/price/'))
      .map((target) => new URL(target, location.origin).search);
  };
  expect(await current('')).toEqual(['?begin_time=2026-02-17T00%3A00%3A00Z']);
  expect((await current('?range=1M')).toSorted()).toEqual([
    '?begin_time=2026-02-17T00%3A00%3A00Z',
    '?begin_time=2026-07-17T00%3A00%3A00Z',
  ]);
  expect((await current(`?${PAST}`)).toSorted()).toEqual([
    '?begin_time=2026-02-17T00%3A00%3A00Z',
    '?begin_time=2026-06-18T00%3A00%3A00Z&end_time=2026-07-09T00%3A00%3A00Z',
  ]);
  // There is no session in progress either.
  await expectText(session(), '8 Jul 2026');
});

it('shows the same chart by its address', async () => {
  await openPrice();
  for (const name of ['3M', '1W', 'Log']) await choice(name).click();
  await page.getByLabelText('Flat bars without trades').click();
  await expect.poll(address).toBe('/price/PBTCUCZ50?range=3M&bars=1W&scale=log&gaps=flat');
  await openPrice('?range=3M&bars=1W&scale=log&gaps=flat');
  for (const name of ['3M', '1W', 'Log']) await expect.element(choice(name)).toBeChecked();
  await expect.element(page.getByLabelText('Flat bars without trades')).toBeChecked();
  await expect
    .element(page.getByText('Weekly bars (Mon–Sun), built from daily sessions', { exact: true }))
    .toBeVisible();
});

it('goes from date to date, and Apply keeps the focus', async () => {
  await openTable('');
  await choice('Custom').click();
  await dateField('From').fill('2026-06-18');
  await dateField('To').fill('2026-07-08');
  (apply.element() as HTMLElement).focus();
  await press('Enter');
  await expect.poll(address).toBe(`/price/PBTCUCZ50?view=table&${PAST}`);
  await expectCount(tableRows(), 21);
  const days = textsOf(tableRows().getBySelector('td:first-child'));
  expect([days[0], days[20]]).toEqual(['8 Jul 2026', '18 Jun 2026']);
  await expect.element(apply).toHaveFocus();
});

it('starts a custom range with the dates on screen, and changes nothing until it is applied', async () => {
  await openPrice('?range=3M');
  await choice('Custom').click();
  await expect.element(dateField('From')).toHaveValue('2026-05-17');
  await expect.element(dateField('To')).toHaveValue('2026-08-17');
  expect(address()).toBe('/price/PBTCUCZ50?range=3M');
  await apply.click();
  await expect.poll(address).toBe('/price/PBTCUCZ50?from=2026-05-17&to=2026-08-17');
  await choice('3M').click();
  await expectCount(dateField('From'), 0);
});

it('says why a custom range cannot be applied', async () => {
  await openPrice(`?${PAST}`);
  const announced = (sentence: string) => page.getBySelector('[aria-live=polite]').filter({ hasText: sentence });
  await dateField('From').fill('');
  await expectCount(announced('Choose a start date.'), 1);
  await expectCount(page.getByText('The end is before the start.'), 0);
  await expect.element(dateField('To')).toHaveAttribute('aria-invalid', 'false');
  await expect.element(apply).toBeDisabled();
  await dateField('From').fill('2026-08-01');
  await expectCount(announced('The end is before the start.'), 1);
  await dateField('From').fill('2026-06-02');
  await expect.element(apply).toBeEnabled();
});

it('lets a session be chosen that begins while the screen is open', async () => {
  const at = Date.parse('2026-08-17T20:59:30Z');
  await open('/price/PBTCUCZ50?from=2026-06-18', { at, change: atPageTime });
  await dateField('To').fill('2026-08-18');
  await expect.element(page.getBySelector('form').getByText('The newest session is 2026-08-17.')).toBeVisible();
  vi.setSystemTime(Date.parse('2026-08-17T21:00:30Z'));
  await expect.element(apply).toBeEnabled();
});

it('undoes a range and a comparison by Back', async () => {
  await openPrice('?range=3M');
  await range('1M').click();
  await expect.poll(address).toBe('/price/PBTCUCZ50?range=1M');
  await page.getByRole('button', { name: 'Compare with' }).click();
  await page.getByRole('combobox', { name: 'Compare with' }).fill('PETHUIZ50');
  await expect.element(page.getByRole('option', { name: /PETHUIZ50/ })).toBeVisible();
  await press('Enter');
  await expect.element(page.getByRole('button', { name: 'Remove comparison' })).toBeVisible();
  history.back();
  await expectCount(page.getByRole('button', { name: 'Remove comparison' }), 0);
  await expect.element(range('1M')).toBeChecked();
  history.back();
  await expect.element(choice('3M')).toBeChecked();
});

it('shows another range whole', async () => {
  await openPrice('?range=1M&zoom=2026-07-20,2026-07-25');
  await choice('3M').click();
  await expect.poll(address).toBe('/price/PBTCUCZ50?range=3M');
});

it('is empty where there are no trades, and leads to all data', async () => {
  await open('/price/PBTCUCZ50?from=2001-01-01&to=2001-02-01');
  await expect.element(heading('No trades in this range')).toBeVisible();
  await page.getByRole('button', { name: 'Show all data' }).click();
  await expect.element(chart()).toBeVisible();
  expect(address()).toBe('/price/PBTCUCZ50?range=All');
});
