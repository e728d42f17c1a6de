// Tests sessions without published prices, impossible prices, and the session in progress.
import { expect, it, test } from 'vitest';
import { page } from 'vitest/browser';
import { changing, toBody } from '#testing/component/change-answers.ts';
import { mount, type Change } from '#testing/component/mount.tsx';
import {
  address,
  expectCount,
  expectText,
  expectToContain,
  exportAs,
  fileSavedBy,
  press,
  textsOf,
} from '#testing/component/screen.ts';
import {
  chart,
  header,
  legend,
  openPrice,
  openTable,
  PRICES,
  PRODUCT_DATA,
  session,
  VOLUMES,
} from '#testing/component/price-page.ts';
import { watchLabels } from '#testing/component/watch-labels.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Opens prices of two sessions out of three. The volume of every session follows when it is released. */
async function openIlliquid(volume: number | null): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const withGaps = changing(
    PRICES,
    toBody((rows: Rows) => rows.filter((_, index) => index % 3 !== 1)),
  );
  const change = changing(VOLUMES, async (answer) => {
    await promise;
    return toBody((rows: Rows) => rows.map((row) => ({ ...row, volume })))(answer);
  });
  mount('/price/PBTCUCZ50', { change: async (answer, sent) => change(await withGaps(answer, sent), sent) });
  await expect.element(page.getByRole('heading', { name: 'Price', exact: true })).toBeVisible();
  await expect.element(header().getBySelector('dl').first()).toBeVisible();
  await expect.element(chart().getBySelector('canvas').first()).toBeVisible();
  await expect.element(page.getByText('Sessions without trades unknown: volume is being read.')).toBeVisible();
  await expectText(session(), '17 Aug 2026, in progress');
  return () => {
    resolve(undefined);
  };
}

it('adds sessions without trades that load later, and the whole range stays in view', async () => {
  const release = await openIlliquid(null);
  release();
  await expect.element(page.getByText('60 sessions without trades.', { exact: true })).toBeVisible();
  await chart().hover({ position: { x: 2, y: 60 } });
  await expectText(session(), '17 Feb 2026');
});

it('tells sessions that traded at unknown prices from those without trades', async () => {
  const release = await openIlliquid(27);
  release();
  await expect
    .element(page.getByText('No sessions without trades. 60 sessions with trades at unknown prices.', { exact: true }))
    .toBeVisible();
  await exportAs('Table');
  await expectCount(page.getByRole('cell', { name: /, traded, price unknown$/ }), 60);
});

it('leaves the cursor on its session when others are added before it', async () => {
  const release = await openIlliquid(null);
  (chart().element() as HTMLElement).focus();
  await press('End', ...Array<string>(9).fill('ArrowLeft'));
  await expectText(session(), '4 Aug 2026');
  release();
  await expect.element(page.getByText('60 sessions without trades.', { exact: true })).toBeVisible();
  await expectText(session(), '4 Aug 2026');
});

/** Sets the low of 5 August to a multiple of its settlement. */
function withLow(factor: number): Change {
  return changing(
    PRICES,
    toBody((rows: Rows) =>
      rows.map((row) =>
        row['date'] === '2026-08-05'
          ? { ...row, ohlc: { ...(row['ohlc'] as object), low: (Number(row['settlementPrice']) * factor).toFixed(4) } }
          : row,
      ),
    ),
  );
}

const note = page.getByRole('note').filter({ hasText: 'suspected bad tick' });

test('a bad tick is named, and within the scale only on request, which the address keeps', async () => {
  const labels = watchLabels();
  /** Returns the lowest price on the axis. */
  const lowest = (): number =>
    Math.min(
      ...labels()
        .filter((text) => /^[\d,]+\.\d\d$/.test(text))
        .map((text) => Number(text.replaceAll(',', ''))),
    );
  await openPrice('?range=3M', { change: withLow(0.5) });
  await expectToContain(note, '1 suspected bad tick: low 51,497.50 on 5 Aug 2026.');
  await expectToContain(
    note,
    'A bad tick is more than 20 % and more than 8 typical daily ranges beyond the settlements',
  );
  expect(lowest()).toBeGreaterThan(70_000);
  const inScale = page.getByRole('checkbox', { name: 'Include in scale' });
  (inScale.element() as HTMLElement).focus();
  await press('Space');
  await expect.poll(address).toBe('/price/PBTCUCZ50?range=3M&badticks=inscale');
  await expect.poll(lowest).toBeLessThanOrEqual(60_000);
  await openPrice('?range=3M&badticks=inscale', { change: withLow(0.5) });
  await expect.element(inScale).toBeChecked();
  await inScale.click();
  await expect.poll(address).toBe('/price/PBTCUCZ50?range=3M');
});

test('table and files mark a bad tick', async () => {
  await openTable('range=3M', { change: withLow(0.5) });
  await expectCount(page.getByRole('cell', { name: /^[\d,.]+ \(bad tick\)$/ }), 1);
  for (const [form, columns] of [
    ['CSV, with sources', /,volume_oi_source,change_fraction,bad_ticks,change_usd,change_percent$/],
    ['CSV, figures only', /,symbol,change_fraction,bad_ticks,change_usd,change_percent$/],
  ] as const) {
    const { text } = await fileSavedBy(() => exportAs(form));
    const [head = '', ...lines] = text.trim().split('\r\n');
    expect(head).toMatch(columns);
    expect(lines.filter((line) => line.split(',').at(-3) === 'low').map((line) => line.slice(0, 10))).toEqual([
      '2026-08-05',
    ]);
    expect(text).not.toMatch(/\d\.\d{11}/);
  }
});

test.each(['1W', '1M'])('bars of %s mark it too', async (bars) => {
  await openTable(`range=3M&bars=${bars}`, { change: withLow(0.5) });
  await expectCount(page.getByRole('cell', { name: /\(bad tick\)$/ }), 1);
  await expectToContain(note, '1 suspected bad tick: low');
});

test('a low of 15 % below is none', async () => {
  await openPrice('?range=3M', { change: withLow(0.85) });
  await expect.element(page.getByText('Daily bars, as published', { exact: true })).toBeVisible();
  await expectCount(note, 0);
});

test('the running session is the last bar, marked as in progress, with the time of its last trade', async () => {
  await openPrice('?range=1M');
  await expectText(session(), '17 Aug 2026, in progress');
  await expect
    .element(page.getByText('Outlined: session of 17 Aug 2026 in progress, last trade 2026-08-17 12:29:59 UTC.'))
    .toBeVisible();
  expect(textsOf(legend().getBySelector('div')).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
    'Session 17 Aug 2026, in progress',
    'Open 110,120.00 USD',
    'High 112,335.00 USD',
    'Low 109,235.00 USD',
    'Close 109,235.00 USD',
    'Settlement 110,195.00 USD · 16 Aug 2026',
    'Change −0.87 %',
    'Volume 2,510 contracts',
    'Open interest 9,685 contracts · 15 Aug 2026',
  ]);
  await exportAs('Table');
  await expectCount(page.getByRole('row', { name: /in progress/ }), 1);
});

test('before its first trade there is no running session', async () => {
  await openPrice('?range=1M', {
    change: changing(
      PRODUCT_DATA,
      toBody((data: object) => ({ ...data, last_price_time: '2026-08-16T20:59:59.000000Z' })),
    ),
  });
  await expectText(session(), '16 Aug 2026');
  await expectCount(page.getByText('in progress'), 0);
});
