import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '#testing/component/looks.ts';
import { open } from '#testing/component/mount.tsx';
import { address, expectCount, expectText, expectToContain, press, textsOf } from '#testing/component/screen.ts';
import { watchLabels } from '#testing/component/watch-labels.ts';
import { chart, choice, heading, legend, openPrice, session } from '#testing/component/price-page.ts';

const removeAll = page.getByRole('button', { name: 'Remove comparison' });
const removeOne = (name: string) => page.getByRole('button', { name: `Remove ${name} from the comparison` });
const pane = (name: string) => page.getByRole('checkbox', { name, exact: true });
const field = page.getByRole('button', { name: 'Compare with' });
const notes = page.getByRole('main').getByRole('note');
const listed = page.getByRole('list', { name: 'Compared products' }).getByRole('listitem');

async function add(name: string): Promise<void> {
  await field.click();
  await page.getByRole('combobox', { name: 'Compare with' }).fill(name);
  await page.getByRole('option', { name: new RegExp(`^${name} `) }).click();
}

it('rebases two products to 100 on their first common session', async () => {
  await open('/price/PBTCUCZ50?vs=PETHUIZ50&view=table');
  const rows = page.getByRole('table', { name: /PBTCUCZ50 and PETHUIZ50/ }).getBySelector('tbody tr');
  for (const column of [1, 3]) await expectText(rows.last().getBySelector('td').nth(column), '100.00');
  (removeAll.element() as HTMLElement).focus();
  await press('Enter');
  await expect.element(page.getByRole('columnheader', { name: 'Open USD' })).toBeVisible();
  await expect.element(field).toHaveFocus();
});

it('draws percent from the first settlement, and for two products from the common base', async () => {
  const labels = watchLabels();
  const isInPercent = (): boolean => labels().some((text) => /^[+−-]?\d+(?:\.\d+)?\s?%$/.test(text));
  await openPrice();
  await expect.poll(labels).toContain('110,000.00');
  expect(isInPercent()).toBe(false);
  await choice('%').click();
  await expect.element(page.getByText('Percent change from the settlement of 17 Feb 2026.')).toBeVisible();
  await expect.poll(isInPercent).toBe(true);
  await open('/price/PBTCUCZ50?vs=PETHUIZ50');
  await expect.element(chart(/PBTCUCZ50 and PETHUIZ50/)).toBeVisible();
  watchLabels();
  await choice('%').click();
  await expect.poll(isInPercent).toBe(true);
});

it('says that it has no price for an alert', async () => {
  await open('/price/PBTCUCZ50?vs=PETHUIZ50');
  const drawn = chart(/PBTCUCZ50 and PETHUIZ50/);
  await expect.element(drawn.getBySelector('canvas').first()).toBeVisible();
  (drawn.element() as HTMLElement).focus();
  await press('End', 'a');
  await expect
    .element(page.getByText(/^No alert here: a comparison has the prices of several products/).first())
    .toBeVisible();
  expect(address()).toBe('/price/PBTCUCZ50?vs=PETHUIZ50');
});

it('says where both end', async () => {
  await open('/price/PBTCUCZ50?vs=PETHUIZ50');
  await expect
    .element(chart(/PBTCUCZ50 and PETHUIZ50/))
    .toHaveAccessibleDescription(/At the end, 17 Aug 2026, in progress: PBTCUCZ50 at \d+\.\d; PETHUIZ50 at \d+\.\d\./);
});

it('compares five products in four panes, with one date in the legend, and refuses a sixth', async () => {
  const five = 'vs=BUSQ26,BUSZ26,BUCH27,PETHUIZ50&compare=rebased,difference,ratio,basis';
  await open(`/price/PBTCUCZ50?${five}`);
  await expect
    .element(
      heading('PBTCUCZ50, BUSQ26, BUSZ26, BUCH27 and PETHUIZ50, rebased to 100, difference, ratio, basis a year'),
    )
    .toBeVisible();
  await expectText(notes, 'No basis of PETHUIZ50 against PBTCUCZ50: the underlying of one is BTC, of the other ETH.');
  await expectText(session(), '14 Aug 2026');
  const entries = textsOf(legend().getBySelector('div')).map((text) => text.replaceAll(/\s+/g, ' '));
  expect(entries).toHaveLength(6);
  // 133 days and an hour before the expiry: (111,350 ÷ 108,750 − 1) × 365 ÷ 133.0417.
  expect(entries[3]).toMatch(
    /^BUSZ26 rebased [\d.]+ difference \+2,600\.00 USD ratio 1\.02391 basis of BUSZ26 over PBTCUCZ50 \+6\.56 % a year price 111,350\.00 USD$/,
  );
  expect(entries.join()).not.toContain('·');
  await expectToContain(page.getByText(/^Later, not compared/), '17 Aug 2026, in progress, of PBTCUCZ50');
  await add('PADAUKZ50');
  await expectToContain(notes.first(), 'PADAUKZ50 is not compared: at most 5 products can be.');
  expect(address()).toContain(five);
});

it('removes a product with a key, and the focus goes to the next one', async () => {
  await open('/price/PBTCUCZ50?vs=BUSQ26,BUSZ26');
  (removeOne('BUSQ26').element() as HTMLElement).focus();
  await press('Enter');
  await expectCount(listed, 2);
  await expect.element(removeOne('BUSZ26')).toHaveFocus();
  await press('Enter');
  await expect.poll(address).toBe('/price/PBTCUCZ50');
  await expect.element(field).toHaveFocus();
  await expectCount(listed, 0);
});

it('has the panes that are chosen, at least one, and says in words where a basis ends', async () => {
  await open('/price/PBTCUCZ50?vs=BUSZ26');
  await expect.element(pane('Rebased to 100')).toBeDisabled();
  await pane('Basis a year').click();
  await pane('Rebased to 100').click();
  await expect.poll(address).toBe('/price/PBTCUCZ50?vs=BUSZ26&compare=basis');
  await expect.element(pane('Basis a year')).toBeDisabled();
  await expect
    .element(chart(/basis of the product that expires later over the other/))
    .toHaveAccessibleDescription(
      /At the end, 14 Aug 2026\. Basis of BUSZ26 over PBTCUCZ50: \+6\.56 % a year, contango\./,
    );
});

it('hides a product by its name in the legend', async () => {
  await open('/price/PBTCUCZ50?vs=PETHUIZ50');
  const name = legend().getByRole('button', { name: 'PETHUIZ50', exact: true });
  await name.click();
  await expect.element(name).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(address).toBe('/price/PBTCUCZ50?vs=PETHUIZ50&hide=Settlement%2CPETHUIZ50');
});

it('has weeks and months by their last common session', async () => {
  await open('/price/PBTCUCZ50?vs=BUSZ26&compare=difference,basis&bars=1M');
  await expectText(session(), '1 Aug 2026, session of 14 Aug 2026');
  await expect.element(page.getByRole('group', { name: 'Bars' }).getByRole('radio', { name: '1M' })).toBeChecked();
  await expectCount(page.getByLabelText('Flat bars without trades'), 0);
});

it('has the legs of a spread beside it one click away', async () => {
  await open('/price/BUSQ26-BUSV26');
  await page.getByRole('link', { name: 'Compare legs' }).click();
  await expect
    .poll(() => decodeURIComponent(address()))
    .toBe('/price/BUSQ26-BUSV26?vs=BUSV26,BUSQ26&compare=difference');
  await expectCount(listed, 3);
  await expectToContain(legend(), 'difference −1,185.00 USD');
  await expect.element(page.getByText(/difference from BUSV26 in USD, and the price of the spread/)).toBeVisible();
  await pane('Ratio').click();
  await pane('Difference').click();
  await expectText(
    notes,
    'No ratio of BUSQ26-BUSV26 to BUSV26: the price of BUSQ26-BUSV26, a spread, is a difference of prices.',
  );
});

it('says why nothing is drawn', async () => {
  await open('/price/PBTCUCZ50?vs=PETHUIZ50&compare=basis');
  await expect.element(heading('Cannot compare PBTCUCZ50 and PETHUIZ50')).toBeVisible();
  await expect.element(page.getByText(/the underlying of one is BTC, of the other ETH\.$/)).toBeVisible();
  await pane('Difference').click();
  await expect.element(chart(/difference from PBTCUCZ50 in USD/)).toBeVisible();
});

it('names what cannot be compared: an unknown product, and one that is compared already', async () => {
  await open('/price/PBTCUCZ50?vs=NOTHING');
  await expect.element(heading('PBTCUCZ50')).toBeVisible();
  await expectText(notes, 'No comparison. No product “NOTHING”. Choose another product to compare with.');
  await removeAll.click();
  await expectCount(notes, 0);
  await add('PETHUIZ50');
  await expectCount(listed, 2);
  await add('PETHUIZ50');
  await expectText(notes, 'PETHUIZ50 is compared already.');
  await expect.poll(address).toBe('/price/PBTCUCZ50?vs=PETHUIZ50');
  await open('/price/PBTCUCZ50?vs=PBTCUCZ50,BUSQ26,BUSZ26,BUCH27,PETHUIZ50,PADAUKZ50');
  await expectText(
    notes,
    'Not all are compared. PBTCUCZ50 is the shown product. PADAUKZ50 is not compared: at most 5 products can be.',
  );
});

it('fits a phone, and breaks no rule of accessibility', async () => {
  await open('/price/PBTCUCZ50?vs=BUSQ26,BUSZ26,BUCH27,PETHUIZ50&compare=difference,basis', { size: [390, 844] });
  await expectCount(listed, 5);
  expect(document.documentElement.scrollWidth).toBe(390);
  const heights = listed
    .getByRole('button')
    .elements()
    .map((button) => button.getBoundingClientRect().height);
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(24);
  await expectAccessible('main');
});
