import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Instant } from '#contract/exchange/instant.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { usePanelQuery } from '#page/panels/panel-body.tsx';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { ChartData } from '#model/charts/chart-data.ts';
import {
  type IndicatorKind,
  type IndicatorSpec,
  PERPETUAL_INDICATORS,
  PRICE_INDICATORS,
  readIndicators,
} from '#model/charts/indicators/indicator-spec.ts';
import type { DailyRows, ShownRange } from '#model/charts/indicators/whole-history.ts';
import type { DrawingOptions } from '#model/charts/indicators/with-indicators.ts';
import type { ChartDoubts } from '#model/price/withheld-prices.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { lazyCode } from '#page/kit/lazy.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { PRICE_PARAMS } from './shared/price-params.ts';
import { useAfterPaint } from './shared/use-after-paint.ts';
import { useCheckedPrices, useWholeHistory } from './shared/use-price-responses.ts';

const useIndicatorCode = lazyCode(async () => await import('#model/charts/indicators/draw-indicators.ts'));

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

interface Options extends Omit<DrawingOptions, 'data'> {
  readonly doubts: ChartDoubts;
  readonly named: NamedProduct;
  readonly shown: ShownRange;
}

const NO_NOTES: readonly string[] = [];
const WAITING: readonly string[] = ['Indicators are shown once the whole history of the product is loaded.'];
const NO_SPECS: readonly IndicatorSpec[] = [];
const NO_ROWS: DailyRows = { points: [], voi: [] };

/** Adds the indicators to the chart. Their code loads once a chart without them is on screen. */
export function useIndicators(bare: ChartData, specs: readonly IndicatorSpec[], options: Options) {
  const { shown, base, isHidden, named, doubts } = options;
  const { data, since } = shown;
  const { product } = named;
  const isPainted = useAfterPaint(true, false);
  const isWanted = isPainted && specs.length > 0;
  const { code } = useIndicatorCode(isWanted);
  const needsHistory = isWanted && specs.some(({ kind }) => !isOfFunding(kind));
  const history = useHistory(named, doubts, needsHistory);
  const funding = useFunding(product, since, isWanted && specs.some(({ kind }) => isOfFunding(kind)));
  const computed = useMemo(
    () =>
      code === null || !isWanted
        ? null
        : {
            ofPrices: code.computeIndicators(
              shown,
              history.rows ?? NO_ROWS,
              history.rows === null ? NO_SPECS : specs,
              product?.type,
            ),
            ofFunding: funding.data === undefined ? null : code.toFundingOfBars(data, funding.data),
          },
    [code, isWanted, shown, data, history.rows, specs, product?.type, funding.data],
  );
  const drawn = useMemo(() => {
    if (code === null || computed === null) return { chartData: bare, columns: undefined, notes: NO_NOTES };
    return {
      chartData: code.drawIndicators(bare, computed, { specs, data, base, isHidden }),
      columns: code.toColumns(computed, specs),
      notes: code.describeAll(computed, specs),
    };
  }, [code, computed, bare, specs, data, base, isHidden]);
  const isWaiting = needsHistory && history.rows === null && history.error === null;
  return {
    ...drawn,
    notes: isWaiting ? WAITING : drawn.notes,
    historyError: history.error,
    fundingError: funding.error,
  };
}

function isOfFunding(kind: IndicatorKind): boolean {
  return kind === 'funding' || kind === 'premium';
}

/** Reads the daily figures of a product from the beginning on, as the longest range does. */
function useHistory(named: NamedProduct, doubts: ChartDoubts, isWanted: boolean) {
  const { prices, voi } = useWholeHistory(named, isWanted);
  const checked = useCheckedPrices(prices, doubts);
  const [points, days] = [checked.data?.value, voi.data?.value];
  const rows = useMemo(
    (): DailyRows | null => (points === undefined || days === undefined ? null : { points, voi: days }),
    [points, days],
  );
  return { rows, error: rows === null ? (prices.error ?? voi.error) : null };
}

/** Reads the settled rates of the range. Perpdesk responds from its database. */
function useFunding(product: DeskProduct | null, since: Instant, isWanted: boolean) {
  const { queries } = useApi();
  return usePanelQuery(
    useQuery({
      ...queries.desk.funding({ base_symbol: product?.base_symbol ?? '', begin_time: since }),
      enabled: isWanted && product?.base_symbol !== undefined,
    }),
  );
}
