import { useMemo } from 'react';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { ChartData } from '#model/charts/chart-data.ts';
import {
  type IndicatorSpec,
  PERPETUAL_INDICATORS,
  PRICE_INDICATORS,
  readIndicators,
} from '#model/charts/indicators/indicator-spec.ts';
import type { DrawingOptions } from '#model/charts/indicators/with-indicators.ts';
import { lazyCode } from '#page/kit/lazy.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { PRICE_PARAMS } from './shared/price-params.ts';
import { useAfterPaint } from './shared/use-after-paint.ts';

const useIndicatorCode = lazyCode(async () => await import('#model/charts/indicators/with-indicators.ts'));

/** Returns the indicators that a product can have. */
export function indicatorsOf(product: Pick<DeskProduct, 'type'> | null) {
  return product?.type === 'perpetual' ? PERPETUAL_INDICATORS : PRICE_INDICATORS;
}

/** Reads the chosen indicators from the address, and why others there are not shown. */
export function useChosenIndicators(product: DeskProduct | null) {
  const [words] = useUrlState(PRICE_PARAMS.indicators);
  const offered = indicatorsOf(product);
  return useMemo(() => readIndicators(words, offered), [words, offered]);
}

interface Options extends DrawingOptions {
  readonly product: DeskProduct | null;
}

const NO_NOTES: readonly string[] = [];

/** Adds the indicators to the chart. Their code loads once a chart without them is on screen. */
export function useIndicators(
  bare: ChartData,
  specs: readonly IndicatorSpec[],
  { data, base, isHidden, product }: Options,
) {
  const isPainted = useAfterPaint(true, false);
  const isWanted = isPainted && specs.length > 0;
  const { code } = useIndicatorCode(isWanted);
  const type = product?.type;
  const computed = useMemo(
    () => (code === null || !isWanted ? null : code.computeIndicators(data, specs, type)),
    [code, isWanted, data, specs, type],
  );
  return useMemo(() => {
    if (code === null || computed === null) return { chartData: bare, columns: undefined, notes: NO_NOTES };
    return {
      chartData: code.withIndicators(bare, computed, { data, base, isHidden }),
      columns: code.toIndicatorColumns(computed),
      notes: code.describeIndicators(computed),
    };
  }, [code, computed, bare, data, base, isHidden]);
}
