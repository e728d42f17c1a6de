import { memo, type ReactNode, type RefObject, useDeferredValue, useMemo } from 'react';
import { type IncrementCheck, toChartDoubts, whyWithheld } from '#model/checks/judge-prices.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { toRequestedRange, type RequestedRange } from '#model/time/date-range.ts';
import { type DueTimes, sessionsDueOf } from '#model/time/overdue.ts';
import { latestSessionOf } from '#model/time/session.ts';
import {
  type RunningChange,
  type RunningSession,
  toRunningChange,
  toRunningSession,
} from '#model/price/running-session.ts';
import { byIncrement } from '#model/units/quantity.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { InvalidRows } from '#page/panels/missing-rows.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Skeleton } from '#page/panels/panel-body.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { useByExchangeClock, useDueTimes, useExchangeSnapshot } from '#page/panels/use-exchange-time.ts';
import { useEstimate } from '#page/panels/use-estimate.ts';
import { lazy } from '#page/kit/lazy.tsx';
import { useMedia, WIDE } from '#page/kit/use-media.ts';
import { useShallowStable } from '#page/kit/use-stable.ts';
import { type NamedProduct, expiredOn } from '#model/products/product-directory.ts';
import { type FactQuery, PriceHeader, toDoubt } from './price-header.tsx';
import { PriceChart } from './price-chart.tsx';
import { findCurrentInterval } from '#model/tables/price/funding-facts.ts';
import { checkHeader, toPriceFacts } from '#model/tables/price/price-facts.ts';
import { findOverduePrice } from '#model/charts/price/overdue-price.ts';
import { Specification } from './disclosure.tsx';
import { PRICE_PARAMS, REFRESH_SECONDS, toCurrentRange } from './shared/price-params.ts';
import { useCheckedPrices, usePriceResponses } from './shared/use-price-responses.ts';
import styles from './shared/price.module.css';

/** Only those who look at the observed prices need its code. */
const ObservedPrices = lazy(async () => (await import('./observed-prices.tsx')).ObservedPrices);
/** Loaded with the first comparison. */
const LazyComparisonChart = lazy(async () => (await import('./comparison-chart.tsx')).ComparisonChart, <Skeleton />);

interface ProductPriceProps {
  readonly named: NamedProduct;
  /** The products to compare with. */
  readonly others: readonly NamedProduct[];
  /** The field that adds one. */
  readonly compareField: RefObject<HTMLButtonElement | null>;
}

/**
 * Shows one product's figures and chart. Both are deferred together, so that a product's name never appears above
 * another's prices.
 */
export function ProductPrice({ named, others, compareField }: ProductPriceProps) {
  const [range] = useUrlState(PRICE_PARAMS.range);
  const [period] = useUrlState(PRICE_PARAMS.period);
  const end = expiredOn(named.product);
  const today = useExchangeSnapshot(JSON.stringify([named.id, range, end]), (now) => end ?? latestSessionOf(now));
  const dates = useMemo(() => toRequestedRange(range, today, period), [range, today, period]);
  const due = useDueTimes();
  const responses = usePriceResponses(named, dates, toRequestedRange(toCurrentRange(range), today, period));
  const body = useShallowStable({
    named,
    others,
    compareField,
    dates,
    due,
    isWholeHistory: 'name' in range && range.name === 'All',
    ...responses,
  });
  return <PriceBody {...useDeferredValue(body)} />;
}

interface PriceBodyProps extends ProductPriceProps, PriceResponses {
  readonly dates: RequestedRange;
  readonly isWholeHistory: boolean;
  readonly due: DueTimes | null;
}

const PriceBody = memo(function PriceBody({
  named,
  others,
  compareField,
  dates,
  isWholeHistory,
  due,
  data,
  prices,
  voi,
  pricesNow,
  voiNow,
  stats,
  funding,
  estimate,
  sessions,
}: PriceBodyProps) {
  const [, setRange] = useUrlState(PRICE_PARAMS.range, 'push');
  const showAll = (): void => {
    setRange({ name: 'All' });
  };
  const current = { data: data.data, prices: pricesNow.data, voi: voiNow.data, funding: funding.data };
  const overdue = findOverduePrice(named.product, current, due);
  const settledSession =
    due === null || named.product === null ? null : sessionsDueOf(named.product, due).chartPrice.newest;
  const predicted = useEstimate(named.product?.base_symbol ?? '', estimate, due);
  const shown = {
    ...current,
    estimate: predicted,
    data: data.data ?? (data.error === null ? undefined : null),
    isWholeHistory,
    stats: useByExchangeClock(stats.data),
    sessions,
    settledSession,
  };
  const checks = checkHeader(named, shown);
  const doubts = toChartDoubts(checks.reasons);
  const chartPrices = useCheckedPrices(prices, doubts);
  const doubt = whyWithheld(checks.reasons, 'product data price');
  const isWide = useMedia(WIDE);
  const runningChange = useRunningChange(named.product, dates.end_time === undefined ? data.data : undefined, doubt);
  const conversionDoubt = toConversionDoubt(checks.check, doubt);
  const running = useRunning(
    named.product,
    dates.end_time === undefined ? data.data : undefined,
    conversionDoubt,
    whyWithheld(checks.reasons, 'session volume'),
  );
  const own = (
    <Panel
      fills
      title={`${named.name}, prices`}
      query={chartPrices}
      everySeconds={REFRESH_SECONDS}
      besides={[data.data, voi.data, pricesNow.data, voiNow.data, stats.data, funding.data, estimate.data]}
      emptyState={({ value, setAside, deviations }) => {
        if (value.length > 0) return null;
        if (setAside.length > 0) return <InvalidRows noun="session" count={setAside.length} deviations={deviations} />;
        return running === null ? (
          <NoSessions name={named.name} showAll={showAll} isWholeHistory={isWholeHistory} />
        ) : null;
      }}
    >
      {(response) => (
        <PriceChart
          named={named}
          prices={response}
          voi={voi}
          doubts={doubts}
          running={running}
          tickSize={toTickSize(named.product, checks.check)}
          isTickSizePending={checks.check?.verdict === 'pending'}
          isBesideComparison={others.length > 0}
          subject={JSON.stringify([named.id, dates])}
          since={dates.begin_time}
        />
      )}
    </Panel>
  );
  return (
    <>
      <PriceHeader
        named={named}
        overdue={overdue}
        facts={toPriceFacts(named, shown, checks)}
        sizeWithheld={whyWithheld(checks.reasons, 'contract size')}
        doubts={[
          ...toDoubt('Volume in the chart', whyWithheld(checks.reasons, 'chart volume')),
          ...toDoubt('Volume of the session in progress', whyWithheld(checks.reasons, 'session volume')),
        ]}
        interval={findCurrentInterval(funding.data, predicted)}
        isLoading={[data, pricesNow, voiNow, stats, funding, estimate].some(
          ({ data: response, error, isFetching }) => isFetching && response === undefined && error === null,
        )}
        queries={toFactQueries({ data, prices, pricesNow, voiNow, stats, funding, estimate })}
      />
      <Specification named={named} check={checks.check} sizeWithheld={whyWithheld(checks.reasons, 'contract size')} />
      <div className={styles['pair']}>
        {others.length === 0 && <BarsOrObserved {...{ named, bars: own }} withheld={conversionDoubt} />}
        {others.length > 0 && isWide && own}
        {others.length > 0 && (
          <LazyComparisonChart
            named={named}
            others={others}
            compareField={compareField}
            prices={chartPrices}
            dates={dates}
            running={runningChange}
            everySeconds={REFRESH_SECONDS}
          />
        )}
      </div>
    </>
  );
});

interface BarsOrObservedProps {
  readonly named: NamedProduct;
  readonly bars: ReactNode;
  /** Why prices in ticks are not converted; undefined if that is unknown. */
  readonly withheld: string | null | undefined;
}

/** Shows the bars, or the observed prices that the address asks for. */
function BarsOrObserved({ named, bars, withheld }: BarsOrObservedProps) {
  const [observed] = useUrlState(PRICE_PARAMS.observed);
  if (observed === '') return bars;
  return withheld === undefined ? <Skeleton /> : <ObservedPrices named={named} withheld={withheld} />;
}

/** Returns the tick size only if its check passed: a wrong one would misplace the price at the pointer. */
function toTickSize(product: NamedProduct['product'], check: IncrementCheck | null): number | null {
  const text = product === null || check?.verdict !== 'agrees' ? undefined : wireText(product, 'price_increment');
  return typeof text === 'string' && Number(text) > 0 ? Number(text) : null;
}

/** Returns why prices in ticks are not converted; undefined if that is unknown. */
function toConversionDoubt(check: IncrementCheck | null, doubt: string | null): string | null | undefined {
  return check === null ? undefined : (check.reason ?? doubt);
}

function useRunningChange(
  product: NamedProduct['product'],
  data: PriceResponses['data']['data'],
  doubt: string | null,
): RunningChange | null {
  return useMemo(
    () => (data === undefined ? null : toRunningChange(product ?? {}, data, doubt)),
    [product, data, doubt],
  );
}

/**
 * Returns the session in progress. It stays the same object until the product data are read again, so that the chart is
 * not drawn unnecessarily. `withheld`: why its prices are not converted, or undefined if that is unknown.
 */
function useRunning(
  product: NamedProduct['product'],
  data: PriceResponses['data']['data'],
  withheld: string | null | undefined,
  volumeWithheld: string | null,
): RunningSession | null {
  return useMemo(() => {
    const conversion = product === null || withheld === undefined ? null : byIncrement(product, withheld);
    return product === null || data === undefined || conversion === null
      ? null
      : toRunningSession(product, data, conversion, volumeWithheld);
  }, [product, data, withheld, volumeWithheld]);
}

type PriceResponses = ReturnType<typeof usePriceResponses>;

function toFactQueries({
  data,
  prices,
  pricesNow,
  voiNow,
  stats,
  funding,
  estimate,
}: Omit<PriceResponses, 'voi' | 'sessions'>): readonly FactQuery[] {
  const isOfChart = prices.data === pricesNow.data && prices.error === pricesNow.error;
  return [
    { name: 'Last', query: data },
    { name: 'Settlement', query: pricesNow, isOfChart },
    { name: '24 h volume', query: stats },
    { name: 'Open interest', query: voiNow },
    { name: 'Last funding, index and mark', query: funding },
    { name: 'Predicted rate', query: estimate },
  ];
}

interface NoSessionsProps {
  readonly name: string;
  readonly isWholeHistory: boolean;
  readonly showAll: () => void;
}

function NoSessions({ name, isWholeHistory, showAll }: NoSessionsProps) {
  return (
    <EmptyState title={isWholeHistory ? `${name} has not traded yet` : 'No trades in this range'}>
      <p>
        {isWholeHistory
          ? 'The exchange has no daily prices for it.'
          : 'The exchange has no daily prices for these dates.'}
      </p>
      {!isWholeHistory && (
        <button type="button" onClick={showAll}>
          Show all data
        </button>
      )}
    </EmptyState>
  );
}
