import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import { exportAs, fileSavedBy } from '#testing/component/screen.ts';

/** The name of each file begins with the exchange. */
const SCREENS: readonly (readonly [path: string, files: readonly string[]])[] = [
  ['/price/PBTCUCZ50', ['PBTCUCZ50-1D-2026-02-17-to-2026-08-17']],
  ['/curve/BTC', ['curve-BTC-BUS']],
  ['/volume/PBTCUCZ50?bars=1W&range=3M', ['volume-PBTCUCZ50-1W-2026-05-11-to-2026-08-10']],
  ['/volume?series=BUS&as=stacked&range=1M', ['volume-All-expiries-of-BUS-stacked-2026-07-17-to-2026-08-14']],
  [
    '/funding?pick=BTCUC&long=BTCUC&short=ETHUI',
    ['funding-heatmap-90', 'funding-rate-BTCUC', 'funding-spread-BTCUC-ETHUI'],
  ],
  ['/funding/BTCUC', ['funding-BTCUC-apr', 'predicted-rate-BTCUC']],
];

it.each(SCREENS)('pictures of %s name exchange, products, range and time of reading', async (path, files) => {
  await open(path);
  const menus = page.getByRole('button', { name: /^Export(?! (?:table|carry|predictions))/ });
  await expect.poll(() => menus.elements().length).toBe(files.length);
  for (const [at, file] of files.entries()) {
    const { name, text } = await fileSavedBy(() => exportAs('PNG', menus.nth(at)));
    expect(name).toMatch(
      new RegExp(
        String.raw`^sandbox-${file}(?:-\d{4}-\d\d-\d\d(?:-to-\d{4}-\d\d-\d\d)?)?-read-20260817T1230\d\dZ\.png$`,
      ),
    );
    expect(text.slice(1, 4)).toBe('PNG');
  }
});
