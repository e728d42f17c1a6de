import { expect, it } from 'vitest';
import { mount, open } from '#testing/component/mount.tsx';
import {
  expectCount,
  expectText,
  expectToContain,
  exportAs,
  exportMenu,
  fileSavedBy,
  press,
} from '#testing/component/screen.ts';
import {
  cellOf,
  ESTIMATED,
  expectAllPredicted,
  failAt,
  figureNote,
  saveLines,
} from '#testing/component/funding-page.ts';
import { readCsv } from '#testing/read-csv.ts';

it('saves table, rates, heatmap and spread as CSV, and each picture as PNG', async () => {
  await open('/funding');
  const table = await saveLines(exportMenu('table'));
  expect(table.text.endsWith('\r\n')).toBe(true);
  expect(table.lines).toHaveLength(17);
  expect(table.text).toMatch(
    /^base_symbol,product_id,rank,ranked_by,position_side,interval_end,settled_rate_per_8h_fraction,/,
  );
  expect(
    new Set(
      table.text
        .trimEnd()
        .split('\r\n')
        .map((line) => line.replaceAll(/"[^"]*"/g, 'quoted').split(',').length),
    ).size,
  ).toBe(1);
  const rates = await saveLines(exportMenu('rates (5 charted)'));
  expect(rates.text).toMatch(
    /^base_symbol,product_id,interval_start,interval_end,settled_rate_per_8h_fraction,interest_rate_per_8h_fraction,premium_fraction,/,
  );
  // The file covers seven days of the first three and the last two of the ranking.
  expect([...new Set(rates.lines.map((line) => line['base_symbol']))]).toEqual([
    'ADAUK',
    'DOTUH',
    'AVEUS',
    'XRPUH',
    'XTZUK',
  ]);
  expect(rates.lines).toHaveLength(5 * 21);
  const all = await fileSavedBy(() => exportAs('CSV of all 17, with sources', exportMenu('rates (5 charted)')));
  expect(
    new Set(
      readCsv(all.text)
        .slice(1)
        .map(([symbol]) => symbol),
    ).size,
  ).toBe(17);
  const heat = await saveLines(exportMenu('heatmap'));
  expect(heat.lines).toHaveLength(17);
  expect(Object.keys(heat.lines[0] ?? {}).filter((name) => name.endsWith('Z'))).toHaveLength(90);
  const spread = await saveLines(exportMenu('spread'));
  expect(spread.text).toMatch(
    /^interval_end,long_base_symbol,short_base_symbol,long_settled_rate_per_8h_fraction,short_settled_rate_per_8h_fraction,spread_received_per_8h_fraction,carry_so_far_fraction,/,
  );
  for (const of of ['rates (5 charted)', 'heatmap', 'spread']) {
    const { name } = await fileSavedBy(() => exportAs('PNG', exportMenu(of)));
    expect(name).toMatch(/^[\w-]+-funding-.*-\d{4}-\d\d-\d\d-to-2026-08-17-read-20260817T123000Z\.png$/);
  }
});

it('gives every file of one screen the same sign, and says which', async () => {
  await open('/funding?side=long&range=24h&pick=ETHUI');
  const sign = 'positive: a long position receives';
  const table = await saveLines(exportMenu('table'));
  expect(table.name).toMatch(/^funding-comparison-long-/);
  expect(table.lines.find(({ base_symbol: symbol }) => symbol === 'ETHUI')).toMatchObject({
    settled_rate_per_8h_fraction: '0.00023691',
    position_side: 'long',
  });
  const rates = await saveLines(exportMenu('rates (1 charted)'));
  expect(rates.lines.at(-1)).toMatchObject({ settled_rate_per_8h_fraction: '0.00023691', sign });
  const heat = await saveLines(exportMenu('heatmap'));
  expect(heat.lines.find(({ base_symbol: symbol }) => symbol === 'ETHUI')).toMatchObject({
    '2026-08-17T08:00:00.000000000Z': '0.00023691',
    sign,
  });
});

it('saves the same columns and figures in every rate unit, with no more digits than a spreadsheet keeps', async () => {
  const saved = [];
  for (const form of ['apr', 'apy', 'interval']) {
    await open(`/funding?form=${form}`);
    await expectAllPredicted();
    const { lines } = await saveLines(exportMenu('table'));
    saved.push(
      new Map(
        lines.map((line) => [
          line['base_symbol'],
          Object.fromEntries(Object.entries(line).filter(([name]) => name.includes('_fraction'))),
        ]),
      ),
    );
  }
  const [apr = new Map<string, Record<string, string>>(), ...others] = saved;
  for (const other of others) expect(other).toEqual(apr);
  for (const value of [...apr.values()].flatMap((own) => Object.values(own)))
    expect(value.replace(/^-?[0.]*/, '').replace('.', '').length).toBeLessThanOrEqual(15);
  // The sum is 0.557471 % over 90 intervals.
  const mean = 0.00557471 / 90;
  const {
    sum_fraction_30d: sum,
    mean_per_8h_fraction_30d: mean8h,
    apr_simple_fraction_30d: simple,
    apy_fraction_30d: compounded,
  } = apr.get('BTCUC') ?? {};
  expect(sum).toBe('0.00557471');
  expect(Number(mean8h)).toBeCloseTo(mean, 12);
  expect(Number(simple)).toBeCloseTo(mean * 1_095, 12);
  expect(Number(compounded)).toBeCloseTo((1 + mean) ** 1_095 - 1, 8);
});

it('turns APR, sum and mean of the table file with the side, but no counts', async () => {
  const ofSide = async (side: string) => {
    await open(`/funding?sort=symbol&side=${side}`);
    return (await saveLines(exportMenu('table'))).lines;
  };
  const [long, market] = [await ofSide('long'), await ofSide('market')];
  for (const name of ['apr_simple_fraction_7d', 'sum_fraction_7d', 'mean_per_8h_fraction_7d'])
    expect(long.map((line) => Number(line[name]))).toEqual(market.map((line) => 0 - Number(line[name])));
  expect(long.map((line) => line['intervals_longs_paid_7d'])).toEqual(
    market.map((line) => line['intervals_longs_paid_7d']),
  );
});

it('says in a file saved before predicted rates have arrived what it lacks, and requests them all', async () => {
  const held = Promise.withResolvers<undefined>();
  const { requested } = mount('/funding', {
    change: async (answer) => {
      if (answer.target.includes(ESTIMATED)) await held.promise;
      return answer;
    },
  });
  await expectText(cellOf('BTCUC', 'estimate-form'), '…');
  expect(
    (await saveLines(exportMenu('table'))).text.split(',Not read yet: predicted rates are read a few at a time.,'),
  ).toHaveLength(18);
  await expect.poll(() => new Set(requested.filter((target) => target.includes(ESTIMATED))).size).toBe(17);
  held.resolve(undefined);
  await expectAllPredicted();
  await expectText(cellOf('BTCUC', 'estimate-form'), '+10.95');
});

it('gives in cell and file the reason why a predicted rate is missing', async () => {
  await open('/funding', { change: failAt(ESTIMATED) });
  await expectAllPredicted();
  await expectText(cellOf('BTCUC', 'estimate-form'), '–');
  await cellOf('BTCUC', 'estimate-form').click();
  await press('i');
  await expectToContain(figureNote(), 'The connection was refused.');
  await press('Escape');
  await expectCount(figureNote(), 0);
  expect((await saveLines(exportMenu('table'))).text).toContain('The connection was refused.');
});
