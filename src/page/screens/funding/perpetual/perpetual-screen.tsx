import { SpecificationDoubts } from '#page/panels/products/specification-doubts.tsx';
import { DESK_ENDPOINTS, type DeskProduct } from '#contract/desk/desk.ts';
import { findPerpetualByName, nameProduct, toPerpetualItems } from '#model/products/product-directory.ts';
import { ProductCombobox } from '#page/panels/products/product-combobox.tsx';
import { Link, useAddress, useNavigator, useUrlState } from '#page/kit/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { RateBasisControl, SignConventionControl } from '../rate-controls.tsx';
import { toComparePath } from '#model/tables/funding/perpetual-path.ts';
import { type PerpetualData, toPerpetualData } from '#model/tables/funding/perpetual-data.ts';
import { PERPETUAL_PARAMS, RANGES } from '#model/tables/funding/perpetual-params.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import type { ApiResponse } from '#model/response.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import type { Estimate } from '#model/funding/estimate.ts';
import { findInProgress, toNextInterval } from '#model/funding/funding-rate.ts';
import { LazyProductProposals } from '#page/panels/products/lazy-product-proposals.ts';
import { RATE_INDICATORS } from '#model/charts/indicators/indicator-spec.ts';
import { IndicatorsButton } from '#page/panels/indicators/indicators-button.tsx';
import { Skeleton } from '#page/panels/panel-body.tsx';
import { UnknownSymbol } from '#page/panels/missing-rows.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { toFundingDue, useDueTimes } from '#page/panels/use-exchange-time.ts';
import { useEstimate } from '#page/panels/use-estimate.ts';
import { Toolbar } from '#page/kit/toolbar.tsx';
import type { DueTimes } from '#model/time/overdue.ts';
import { toCarryStart } from '#model/tables/funding/carry.ts';
import {
  FUNDING_SECONDS,
  type PerpetualQueries,
  usePerpetualQueries,
  useSettlementRefetch,
} from './use-perpetual-queries.ts';
import { PerpetualHeader } from './perpetual-header.tsx';
import { RateChart } from './rate-chart.tsx';
import { RateDistribution, RealisedTable } from './rate-statistics.tsx';
import { FaultsTable } from './faults-table.tsx';
import { PredictedPath } from './predicted-rates.tsx';
import { describeReads, PredictedRates } from './predictions.tsx';
import { lazy } from '#page/kit/lazy.tsx';
import styles from '../perpetual.module.css';

/** These panels are below the first screen, so their code loads after it. */
const CarryPanel = lazy(async () => (await import('./carry-panel.tsx')).CarryPanel, <Skeleton />);

const HistoryTable = lazy(async () => (await import('./history-table.tsx')).HistoryTable, <Skeleton />);

const RANGE_CHOICES = RANGES.map((range) => [range, range === 'all' ? 'Since listing' : range] as const);

function PerpetualControls({
  baseSymbol,
  products,
}: {
  readonly baseSymbol: string;
  readonly products: readonly DeskProduct[];
}) {
  const [range, setRange] = useUrlState(PERPETUAL_PARAMS.range);
  const [form, setForm] = useUrlState(PERPETUAL_PARAMS.form);
  const [side, setSide] = useUrlState(PERPETUAL_PARAMS.side);
  const open = useOpenPerpetual();
  const { query } = useAddress();
  return (
    <>
      <ProductCombobox
        opensOnTyping
        label="Perpetual"
        placeholder="Search perpetuals"
        products={products}
        toItems={toPerpetualItems}
        value={baseSymbol}
        onChange={open}
      />
      <Segmented label="Range" choices={RANGE_CHOICES} value={range} onChange={setRange} />
      <RateBasisControl value={form} onChange={setForm} />
      <SignConventionControl value={side} onChange={setSide} />
      <IndicatorsButton params={PERPETUAL_PARAMS} offered={RATE_INDICATORS} />
      <Link to={toComparePath(query)}>All perpetuals</Link>
    </>
  );
}

/** Opens another perpetual with the same range, rate basis and sign convention. */
function useOpenPerpetual(): (symbol: string) => void {
  const navigator = useNavigator();
  const { query } = useAddress();
  return (symbol) => {
    const search = query.toString();
    navigator.go(`/funding/${encodeURIComponent(symbol)}${search === '' ? '' : `?${search}`}`);
  };
}

/**
 * Explains why there is no chart: nothing has settled in the range, nothing could be read, or nothing has settled at
 * all.
 */
function NoSettledRate({ data: { series, perpetual } }: { readonly data: PerpetualData }) {
  const name = perpetual.base_symbol;
  if (series.settledTo !== null) {
    return (
      <EmptyState title="No valid settled rate in this range">
        <p>
          The latest settled rate of {name} is from <Timestamp at={new Date(series.settledTo).toISOString()} />. Choose
          a longer range to see earlier rates.
        </p>
      </EmptyState>
    );
  }
  if (series.isBehind) {
    return (
      <EmptyState title={`Settled rates of ${name} could not be read`}>
        <p>{perpetual.stale_because} Perpdesk retries automatically.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={`${name} has no settled rate yet`}>
      <p>
        The first rate of a new perpetual settles at the end of the first full interval after its listing. Nothing is
        missing until then.
      </p>
    </EmptyState>
  );
}

const NO_PRODUCTS: readonly DeskProduct[] = [];

interface PerpetualScreenProps {
  readonly parameters: Readonly<Record<string, string>>;
}

/** One perpetual: its settled rates since launch, its predicted rate, and the carry of a position. */
export function PerpetualScreen({ parameters: { base_symbol: name = '' } }: PerpetualScreenProps) {
  const { queries } = useApi();
  const products = useQuery(queries.desk.products({}));
  const baseSymbol = products.data && findPerpetualByName(name, products.data.value.products)?.base_symbol;
  useCanonicalAddress(name, baseSymbol);
  if (baseSymbol === undefined && !BASE_SYMBOL.test(name) && products.data === undefined && products.error === null)
    return <Skeleton />;
  return <Perpetual key={baseSymbol ?? name} baseSymbol={baseSymbol ?? name} />;
}

/**
 * A name of this form is read at once. Any other name waits for the product list, to avoid requests for perpetuals that
 * do not exist.
 */
const BASE_SYMBOL = /^[A-Z]+$/;

/** Replaces a name in the address, such as a product's symbol, with the base symbol. */
function useCanonicalAddress(name: string, baseSymbol: string | undefined): void {
  const navigator = useNavigator();
  const { query } = useAddress();
  const search = query.toString();
  useEffect(() => {
    if (baseSymbol !== undefined && baseSymbol !== name)
      navigator.go(`/funding/${baseSymbol}${search === '' ? '' : `?${search}`}`, 'replace');
  }, [navigator, name, baseSymbol, search]);
}

function Perpetual({ baseSymbol }: { readonly baseSymbol: string }) {
  const [range] = useUrlState(PERPETUAL_PARAMS.range);
  const [from] = useUrlState(PERPETUAL_PARAMS.from);
  const [to] = useUrlState(PERPETUAL_PARAMS.to);
  const queries = usePerpetualQueries(baseSymbol, range, toCarryStart({ from, to }));
  const { funding, product, products } = queries;
  const due = useDueTimes();
  const dueTo = toFundingDue(due);
  const [prices, productData, days, latest] = [
    toReading(queries.prices),
    toReading(queries.data),
    toReading(queries.days),
    toReading(queries.latest),
  ];
  const data = useMemo(
    () =>
      funding.data === undefined
        ? null
        : toPerpetualData(funding.data, product, { prices, data: productData, days, latest }, dueTo),
    [funding.data, product, prices, productData, days, latest, dueTo],
  );
  return (
    <>
      <Toolbar title="Funding">
        <PerpetualControls baseSymbol={baseSymbol} products={products.data?.value.products ?? NO_PRODUCTS} />
      </Toolbar>
      {data === null ? (
        <WithoutData baseSymbol={baseSymbol} queries={queries} />
      ) : (
        <PerpetualFunding data={data} queries={queries} due={due} />
      )}
    </>
  );
}

function isAwaited({ data, error }: { readonly data: unknown; readonly error: Error | null }): boolean {
  return data === undefined && error === null;
}

/** Returns undefined before the first read, and null if the read failed. */
function toReading<T>(
  query: { readonly data: ApiResponse<T> | undefined; readonly error: Error | null } | undefined,
): T | null | undefined {
  return query?.data?.value ?? (query === undefined || query.error === null ? undefined : null);
}

function toFundingName(product: DeskProduct): string {
  return product.base_symbol ?? nameProduct(product);
}

function WithoutData({
  baseSymbol,
  queries: { funding, product, products },
}: {
  readonly baseSymbol: string;
  readonly queries: PerpetualQueries;
}) {
  const perpetuals = products.data?.value.products.filter(({ type }) => type === 'perpetual');
  if (perpetuals !== undefined && product === null && funding.error !== null)
    return (
      <UnknownSymbol
        noun="perpetual"
        name={baseSymbol}
        count={perpetuals.length}
        proposals={
          <LazyProductProposals
            text={baseSymbol}
            products={perpetuals}
            toChoice={(product) => <Link to={`/funding/${toFundingName(product)}`}>{toFundingName(product)}</Link>}
          />
        }
      />
    );
  return (
    <Panel title={baseSymbol} query={funding} everySeconds={FUNDING_SECONDS}>
      {() => (
        <EmptyState title={`Invalid response for ${baseSymbol}`}>
          <p>Perpdesk’s response does not match its API. See Status.</p>
        </EmptyState>
      )}
    </Panel>
  );
}

interface PerpetualFundingProps {
  readonly data: PerpetualData;
  readonly queries: PerpetualQueries;
  readonly due: DueTimes | null;
}

function PerpetualFunding({ data, queries, due }: PerpetualFundingProps) {
  const { funding, estimate, estimates, predictedRates, products, prices } = queries;
  useLatest(data, queries);
  const predicted = useEstimate(data.perpetual.base_symbol, estimate, due);
  // A predicted rate that is not current is shown with the reason, but left out of charts and sums.
  const current = predicted?.notCurrent === null ? predicted : null;
  const live = { query: funding, everySeconds: FUNDING_SECONDS };
  const awaitsPrices = isAwaited(products) || (prices !== undefined && isAwaited(prices));
  return (
    <>
      <PerpetualHeader data={data} estimate={predicted} estimateError={estimate.error} awaitsPrices={awaitsPrices} />
      <SpecificationDoubts products={[data.product]} className={styles['notice']} />
      <div className={styles['pair']}>
        <Panel
          fills
          title="Settled rates"
          {...live}
          besides={[estimate.data]}
          emptyState={() => (data.series.prints.length === 0 ? <NoSettledRate data={data} /> : null)}
        >
          {() => <RateChart data={data} estimate={current} />}
        </Panel>
        <Panel
          fills
          title="Predicted rate in this interval"
          query={estimates}
          everySeconds={DESK_ENDPOINTS.estimates.reuseSeconds}
        >
          {(response) => (
            <PredictedPath
              name={data.perpetual.base_symbol}
              response={response}
              endsAt={toCurrentEnd(data, predicted)}
              reads={describeReads(data.series)}
            />
          )}
        </Panel>
      </div>
      {data.series.settledTo !== null && (
        <>
          <div id="carry">
            <Panel title="Carry" {...live} besides={[prices?.data]}>
              {() => <CarryPanel data={data} estimate={current?.value ?? null} awaitsPrices={awaitsPrices} />}
            </Panel>
          </div>
          <div className={styles['columns']}>
            <Panel title="Realised funding" {...live}>
              {() => <RealisedTable data={data} />}
            </Panel>
            <Panel title="Rate distribution" {...live}>
              {() => <RateDistribution data={data} />}
            </Panel>
            <Panel title="Gaps and faults" {...live}>
              {() => <FaultsTable data={data} />}
            </Panel>
          </div>
          <Panel
            title="Predictions"
            query={predictedRates}
            everySeconds={DESK_ENDPOINTS.estimates.reuseSeconds}
            besides={[funding.data]}
          >
            {(response) => <PredictedRates data={data} response={response} />}
          </Panel>
          <Panel title="Funding history" {...live}>
            {() => <HistoryTable data={data} />}
          </Panel>
        </>
      )}
    </>
  );
}

/**
 * Returns the end of the current interval. The last settled rate determines it even if the predicted rate cannot be
 * read.
 */
function toCurrentEnd({ series }: PerpetualData, predicted: Estimate | null): number | null {
  const last = series.prints.at(-1)?.row;
  const interval = findInProgress(last ? toNextInterval(last) : null, predicted?.value ?? null);
  return interval && Date.parse(interval.interval_end);
}

/** Reads the settled rate, the next predicted rate and those recorded after each funding time. */
function useLatest(
  { series }: PerpetualData,
  { funding, estimate, estimates, predictedRates }: PerpetualQueries,
): void {
  const [refetchFunding, refetchEstimate] = [funding.refetch, estimate.refetch];
  const [refetchPath, refetchPredictedRates] = [estimates.refetch, predictedRates.refetch];
  const refetch = useCallback(() => {
    void refetchFunding();
    void refetchPredictedRates();
    void refetchEstimate().then(() => refetchPath());
  }, [refetchFunding, refetchEstimate, refetchPath, refetchPredictedRates]);
  useSettlementRefetch({ estimate: estimate.data?.value, settledTo: series.settledTo, refetch });
}
