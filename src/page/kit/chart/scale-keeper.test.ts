import { PriceScaleMode, type IChartApi } from 'lightweight-charts';
import { beforeEach, expect, test } from 'vitest';
import { createScaleKeeper, type ScaleKeeper } from './view-keeper.ts';

const PANES = [{ logarithmic: true }, {}] as const;
const byHand = { autoScale: false };
const fitted = { autoScale: true };

let axes: { autoScale?: boolean; mode?: PriceScaleMode }[] = [];
let keeper: ScaleKeeper;

beforeEach(() => {
  axes = [{}, {}];
  const priceScale = (_: string, index: number) => ({
    applyOptions: (options: object) => Object.assign(axes[index] ?? {}, options),
  });
  keeper = createScaleKeeper({
    priceScale,
    panes: () => axes.map((_, index) => ({ priceScale: (id: string) => priceScale(id, index) })),
  } as unknown as IChartApi);
  keeper.follow(PANES, 'linear', 'BTC');
  for (const axis of axes) axis.autoScale = false;
});

test('keeps a stretched axis through refreshes', () => {
  keeper.follow([...PANES], 'linear', 'BTC');
  expect(axes).toMatchObject([byHand, byHand]);
});

test('applies another scale to the panes that support it, and fits all', () => {
  keeper.follow(PANES, 'log', 'BTC');
  expect(axes).toEqual([
    { ...fitted, mode: PriceScaleMode.Logarithmic },
    { ...fitted, mode: PriceScaleMode.Normal },
  ]);
});

test('fits another subject, and the same one on request', () => {
  keeper.follow(PANES, 'linear', 'ETH');
  expect(axes).toMatchObject([fitted, fitted]);

  for (const axis of axes) axis.autoScale = false;
  keeper.fit();
  expect(axes).toMatchObject([fitted, fitted]);
});
