import { expect, it, vi } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import {
  expectCount,
  expectToContain,
  exportAs,
  exportMenu,
  fileSavedBy,
  press,
  textsOf,
} from '#testing/component/screen.ts';
import {
  changePrints,
  expectDescription,
  failAt,
  figureNote,
  focusOn,
  plantFaults,
  ratesPanel,
  saveLines,
} from '#testing/component/funding-page.ts';

const BTC = '/funding/BTCUC';
const chart = (): Locator => page.getByRole('application', { name: /BTCUC funding, / });
const history = (): Locator => page.getByRole('grid', { name: 'Funding history' });

it('saves the charted rates as CSV and PNG, and lists them in a table', async () => {
  await open(BTC);
  await expect.element(page.getByText('No intervals missing.')).toBeVisible();
  const chartData = await fileSavedBy(() => exportAs('PNG', exportMenu('rates')));
  expect(chartData.name).toMatch(/^[\w-]+-funding-BTCUC-apr-2026-07-\d\d-to-2026-08-17-read-20260817T123000Z\.png$/);
  const { text, lines } = await saveLines(exportMenu('rates'));
  expect(text).toContain(
    'settled_rate_per_8h_fraction,interest_rate_per_8h_fraction,price_index_ticks,mark_price_ticks',
  );
  expect(text).toMatch(
    /,position_side,state,read_at,endpoint,request,responded_at,received_at,age_s,source,request_id\r\n/,
  );
  expect(lines).toHaveLength(90);
  await exportAs('Table', exportMenu('rates'));
  // The rows are the rates, the heading and the interval in progress.
  await expectCount(page.getByRole('table', { name: 'BTCUC funding, % APR, simple' }).getByRole('row'), 92);
});

it('gives file and description of the chart the sign of the chosen side', async () => {
  const ofSide = async (side: string, convention: RegExp) => {
    await open(`${BTC}?side=${side}`);
    await expectDescription(chart(), convention);
    return (await saveLines(exportMenu('rates'))).lines;
  };
  const market = await ofSide('market', /per 8 h\. \+ longs pay shorts\./);
  const long = await ofSide('long', /per 8 h\. Long position: \+ received, − paid\./);
  expect(new Set(long.map((line) => line['position_side']))).toEqual(new Set(['long']));
  const turn = (rate: string): string => (rate === '0' ? '0' : rate.startsWith('-') ? rate.slice(1) : `-${rate}`);
  for (const name of ['settled_rate_per_8h_fraction', 'interest_rate_per_8h_fraction', 'settled_rate_per_8h_percent'])
    expect(long.map((line) => line[name])).toEqual(market.map((line) => turn(line[name] ?? '')));
});

it('moves the crosshair by arrow keys, and the legend shows its bar', async () => {
  await open(`${BTC}?form=interval`);
  await focusOn(chart());
  await press('End', 'ArrowLeft');
  const legend = ratesPanel().getByTestId('legend');
  await expect.poll(() => textsOf(legend).join()).toMatch(/2026-08-17 08:00.*Settled rate\s*\+0\.0100/s);
  // The legend reserves invisible space for a bar's time.
  expect(textsOf(legend).join()).not.toContain('in progress');
});

it('shows where figures of legend, windows, history and payments come from', async () => {
  await open(BTC);
  const expectSource = async (place: Locator, keys: readonly string[], words: RegExp): Promise<void> => {
    await focusOn(place);
    await press(...keys);
    await expect.poll(() => textsOf(figureNote()).join()).toMatch(words);
    await press('Escape');
    await expectCount(figureNote(), 0);
  };
  await focusOn(chart());
  await press('Home');
  await expectSource(
    ratesPanel().getByTestId('legend').getBySelector('dd button').first(),
    ['i'],
    /prints\.funding_rate/,
  );
  await expectSource(
    page.getByRole('table', { name: 'Realised funding' }).getByRole('button').nth(3),
    ['i'],
    /positive, of 3 of 3 settled rates/,
  );
  // The newest settled rates come from the latest response, not from their page.
  await expectSource(
    history(),
    ['ArrowDown', 'ArrowRight', 'ArrowRight', 'i'],
    /GET \/api\/desk\/funding\?base_symbol=BTCUC&begin_time=/,
  );
  await expectSource(
    page.getByRole('grid', { name: 'Payments' }),
    ['ArrowDown', 'End', 'Control+i'],
    /contracts × .* × price × rate, exact/,
  );
});

it('lists every field of the history and loads more on scrolling', async () => {
  await open(BTC);
  await expect.element(page.getByText(/^90 settled rates loaded/)).toBeVisible();
  const headings = textsOf(history().getByRole('columnheader')).join(' ').replaceAll(/\s+/g, ' ');
  for (const name of [
    'Funding time',
    'Interval start',
    'Settled rate',
    'Interest',
    'Index ticks',
    'Mark ticks',
    'Product',
  ])
    expect(headings).toContain(name);
  const grid = history().element();
  grid.scrollIntoView();
  grid.scrollTop = grid.scrollHeight;
  await expect.element(page.getByText(/^180 settled rates loaded/)).toBeVisible();
  expect(history().getByRole('row').elements().length).toBeLessThan(80);
});

it('does not claim a complete history whose first page could not be read, and Try again reads it', async () => {
  const isDown = vi.fn<() => boolean>(() => true);
  await open(BTC, { change: failAt('base_symbol=BTCUC&limit=90', isDown) });
  const panel = page.getByRole('region', { name: 'Funding history' });
  await expectToContain(
    panel,
    '0 settled rates loaded. Settled rates could not be loaded: The connection was refused.',
  );
  expect(textsOf(panel).join()).not.toContain('Complete since launch');
  isDown.mockReturnValue(false);
  await panel.getByRole('button', { name: 'Try again' }).click();
  await expectToContain(panel, '90 settled rates loaded.');
});

it('lists a gap, a duplicate, an overlap and an interval of four hours, and never fills them in', async () => {
  await open(BTC, { change: changePrints('BTCUC', plantFaults), size: [1_440, 2_000] });
  const faults = page.getByRole('table', { name: 'Gaps and faults' });
  for (const words of [
    'Interval reported 2 times with the same rate. Counted once.',
    '1 interval without a settled rate. Not filled in; excluded from every sum.',
    'Starts before the previous interval ended.',
    'Lasts 4 h instead of 8 h. Not annualised; excluded from sums.',
  ])
    await expectToContain(faults, words);
  await expect
    .element(page.getByText('2 intervals without a valid settled rate: hatched, not filled in.'))
    .toBeVisible();
  const remark = history().getByRole('columnheader', { name: 'Remark' });
  // In descending order, faults come before `at interest rate`.
  for (const _ of ['ascending', 'descending']) await remark.click();
  await expect.element(remark).toHaveAttribute('aria-sort', 'descending');
  await expectToContain(history(), 'not 8 h');
  await expectToContain(page.getByTestId('carry-sum'), 'missing (not filled in)');
});
