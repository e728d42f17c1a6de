import { SpecificationDoubts } from '#page/panels/products/specification-doubts.tsx';
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { memo, useDeferredValue, useMemo } from 'react';
import type { ApiResponse } from '#model/response.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useDailyResponses } from '#page/client/react/use-daily-responses.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { PriceDataPoint } from '#contract/exchange/market-data.ts';
import { NO_REASONS, type PriceChecks, whyWithheld } from '#model/checks/judge-prices.ts';
import { createPriceChecks, type PriceResponses } from '#model/markets/market-prices.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { orderSessions } from '#model/price/bars.ts';
import { type RequestedRange, toRequestedRange } from '#model/time/date-range.ts';
import { latestSessionOf } from '#model/time/session.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { usePerProduct, useTotal, useTotalCheck, type VoiResponse } from './shared/use-voi.ts';
import type { DueTimes } from '#model/time/overdue.ts';
import type { TotalCheck } from '#model/checks/exact-checks.ts';
import { formatDay } from '#model/format/format-time.ts';
import { keepRange } from '#model/products/keep-range.ts';
import { toPriceAddress } from '#model/products/product-address.ts';
import { Link, useAddress, useUrlState } from '#page/kit/navigation.tsx';
import { OverdueNotice } from '#page/panels/overdue-notice.tsx';
import { ContractFacts, NextExpiry } from '#page/panels/products/contract-facts.tsx';
import { useDueTimes, useExchangeNow, useExchangeSnapshot } from '#page/panels/use-exchange-time.ts';
import { InvalidRows, type InvalidRowsProps } from '#page/panels/missing-rows.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import type { PanelQuery } from '#page/panels/panel-body.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { useShallowStable } from '#page/kit/use-stable.ts';
import { describeDoubts, describeOverdueInterest, type VoiDoubt, withholdDoubtful } from './voi-checks.ts';
import { VOI_FIELDS } from '#model/voi/voi-rows.ts';
import { useTitleSubject } from '#page/kit/window-title.ts';
import { VolumeChart } from './chart/volume-chart.tsx';
import { describeSizes } from '#model/charts/volume/select-products.ts';
import { VOLUME_PARAMS } from './shared/volume-params.ts';
import styles from './shared/volume.module.css';

/**
 * Returns the figures of the products that fail a cross-check, each with the reason. `perProduct`: the rows shown, if they
 * are the products' own. Charts cost one request per product, so they are read only for a single product, or where
 * nothing else can decide.
 */
function useDoubts(products: readonly NamedProduct[], perProduct: VoiResponse | undefined): readonly VoiDoubt[] {
  const { queries } = useApi();
  const { voi, funding, data, sessions } = useDailyResponses(true);
  const today = useExchangeNow(latestSessionOf);
  const responses = useMemo(
    () => ({ voi: joinDays(voi, perProduct), funding, data, sessions }),
    [voi, perProduct, funding, data, sessions],
  );
  const undecided = useMemo(
    () => (products.length === 1 ? products : findUndecided(products, responses)),
    [products, responses],
  );
  const range = toRequestedRange({ name: '6M' }, today, '1D');
  const charts = useQueries({
    queries: undecided.map(({ id }) => queries.venue.chartPrice({ id, ...range })),
    combine,
  });
  return useMemo(() => {
    const known = new Map(undecided.map(({ id }, at) => [toNumber(id), orderSessions(charts[at]?.value ?? [])]));
    const checksOf = createPriceChecks({ ...responses, charts: known });
    return products.flatMap(({ name, product }) => {
      const reasons = product === null ? NO_REASONS : checksOf(product).checks.reasons;
      return VOI_FIELDS.flatMap((field) => {
        const reason = whyWithheld(reasons, field);
        return reason === null ? [] : [{ name, field, reason }];
      });
    });
  }, [products, responses, undecided, charts]);
}

/** The rows of all products cover the last few days; those shown may be older. */
function joinDays(all: VoiResponse | undefined, shown: VoiResponse | undefined): VoiResponse | undefined {
  return all && shown ? { ...all, value: [...shown.value, ...all.value] } : (all ?? shown);
}

function findUndecided(products: readonly NamedProduct[], responses: PriceResponses): readonly NamedProduct[] {
  const checksOf = createPriceChecks(responses);
  return products.filter(({ product }) => product !== null && isUndecided(checksOf(product).checks.reasons));
}

/** Without the chart, a wrong tick size and a wrong contract size look alike. */
function isUndecided(reasons: PriceChecks['reasons']): boolean {
  return reasons.has('tick size') && reasons.has('contract size');
}

type Chart = ApiResponse<readonly PriceDataPoint[]>;

function combine(results: readonly UseQueryResult<Chart>[]): readonly (Chart | undefined)[] {
  return results.map(({ data }) => data);
}

/** How often daily figures are read. */
const REFRESH_SECONDS = 60;

interface VolumePanelProps {
  readonly products: readonly NamedProduct[];
  readonly name: string;
}

/** Names and figures are deferred together, so that a selection's name never appears above another's figures. */
export function VolumePanel({ products, name }: VolumePanelProps) {
  const [range] = useUrlState(VOLUME_PARAMS.range);
  const [selected] = useUrlState(VOLUME_PARAMS.shown);
  const [bars] = useUrlState(VOLUME_PARAMS.period);
  const today = useExchangeSnapshot(JSON.stringify([products.map(({ id }) => id), range]), latestSessionOf);
  const shown = products.length > 1 ? selected : 'total';
  const period = shown === 'stacked' ? '1D' : bars;
  const dates = useMemo(() => toRequestedRange(range, today, period), [range, today, period]);
  const total = useTotal(products, dates, shown === 'total');
  const perProduct = usePerProduct(products, dates, shown === 'stacked');
  const query = shown === 'total' ? total : perProduct;
  const totalCheck = useTotalCheck(products, total.data, shown === 'total' && products.length > 1);
  const isOwn = shown === 'stacked' || products.length === 1;
  const doubts = useDoubts(products, isOwn ? query.data : undefined);
  const due = useDueTimes();
  // A range with a chosen end need not reach the present, so nothing in it is overdue.
  const body = useShallowStable({
    products,
    name,
    shown,
    dates,
    due: dates.end_time === undefined ? due : null,
    isWholeHistory: 'name' in range && range.name === 'All',
    query,
    totalCheck,
    doubts,
  });
  return <VolumeBody {...useDeferredValue(body)} />;
}

interface VolumeBodyProps extends Pick<VolumePanelProps, 'products' | 'name'> {
  readonly shown: 'total' | 'stacked';
  readonly dates: RequestedRange;
  /** Null if unknown, or not meaningful for the range. */
  readonly due: DueTimes | null;
  readonly isWholeHistory: boolean;
  readonly query: PanelQuery<VoiResponse>;
  /** Null if this is not a total, or was not checked. */
  readonly totalCheck: TotalCheck | null;
  readonly doubts: readonly VoiDoubt[];
}

const VolumeBody = memo(function VolumeBody({
  products,
  name,
  shown,
  dates,
  due,
  isWholeHistory,
  query,
  totalCheck,
  doubts,
}: VolumeBodyProps) {
  const [, setRange] = useUrlState(VOLUME_PARAMS.range, 'push');
  const [, setShown] = useUrlState(VOLUME_PARAMS.shown);
  useTitleSubject(`${name} · Volume / OI`);
  const showAll = (): void => {
    setRange({ name: 'All' });
  };
  return (
    <Panel
      fills
      title={`${name}, volume and open interest`}
      actions={<ProductFacts products={products} />}
      query={query}
      everySeconds={REFRESH_SECONDS}
      emptyState={(response) => {
        const invalid = findInvalid(response, products);
        if (invalid !== null) return <InvalidRows {...invalid} />;
        if (totalCheck !== null && totalCheck.total !== totalCheck.sum) {
          return (
            <WrongTotal
              check={totalCheck}
              showStacked={() => {
                setShown('stacked');
              }}
            />
          );
        }
        return response.value.length === 0 ? <NoRows isWholeHistory={isWholeHistory} showAll={showAll} /> : null;
      }}
    >
      {(response) => (
        <>
          <OverdueNotice causes={[describeOverdueInterest(response, products, due)]} className={styles['notice']} />
          {describeDoubts(doubts).map((notice) => (
            <DoubtNotice key={notice.title} {...notice} />
          ))}
          <SpecificationDoubts products={products.map(({ product }) => product)} className={styles['notice']} />
          <SizesNotice products={products} />
          <CheckedChart
            {...{ response, products, name, shown, doubts }}
            subject={JSON.stringify([products.map(({ id }) => id), dates, shown])}
          />
        </>
      )}
    </Panel>
  );
});

/** Shows the expiry and leads to the prices; for several products, to those of the earliest expiry. */
function ProductFacts({ products }: Pick<VolumePanelProps, 'products'>) {
  const { query } = useAddress();
  const listed = products.flatMap(({ product }) => product ?? []);
  const [first, ...others] = listed;
  if (first === undefined) return null;
  if (others.length > 0) return <NextExpiry products={listed} />;
  return (
    <>
      <ContractFacts product={first} />
      <Link to={keepRange(toPriceAddress(first), query)}>Price</Link>
    </>
  );
}

interface CheckedChartProps extends Pick<VolumeBodyProps, 'products' | 'name' | 'shown' | 'doubts'> {
  readonly response: VoiResponse;
  readonly subject: string;
}

/** Draws the chart without figures that fail a cross-check, and its files too: a file outlives the notice. */
function CheckedChart({ response, doubts, ...chart }: CheckedChartProps) {
  const { products, shown } = chart;
  const checked = useMemo(
    () => withholdDoubtful(response, products, doubts, shown),
    [response, products, doubts, shown],
  );
  return <VolumeChart {...chart} response={checked} />;
}

/** Warns about mixed contract sizes: adding lots of 100,000 and of 1 gives a meaningless sum. */
function SizesNotice({ products }: Pick<VolumePanelProps, 'products'>) {
  const [unit, setUnit] = useUrlState(VOLUME_PARAMS.unit);
  const sizes = describeSizes(products);
  const isMixed = unit === 'contracts' && sizes !== null;
  useAnnounced(isMixed ? `Contracts of different sizes: ${sizes}.` : null);
  if (!isMixed) return null;
  return (
    <p className={styles['notice']} role="note">
      <span>
        <strong>Contracts of different sizes: {sizes}.</strong> Their number says little about their total. Values in
        USD can be compared.
      </span>{' '}
      <button
        type="button"
        onClick={() => {
          setUnit('usd');
        }}
      >
        Show USD
      </button>
    </p>
  );
}

function DoubtNotice({ title, reason }: ReturnType<typeof describeDoubts>[number]) {
  useAnnounced(`${title} ${reason}`);
  return (
    <p className={styles['notice']} role="note">
      <span>
        <strong>{title}</strong> {reason}
      </span>
    </p>
  );
}

/** Returns the first response whose rows are all invalid: without them, a stack would be too low on every day. */
function findInvalid(
  { perProduct, ...joined }: VoiResponse,
  products: VolumePanelProps['products'],
): InvalidRowsProps | null {
  const responses = perProduct ?? [joined];
  const at = responses.findIndex(({ value, setAside }) => value.length === 0 && setAside.length > 0);
  const invalid = responses[at];
  if (invalid === undefined) return null;
  return {
    noun: perProduct === undefined ? 'session' : `session of ${products[at]?.name ?? ''}`,
    count: invalid.setAside.length,
    deviations: invalid.deviations,
  };
}

/** Explains that a total is withheld because its products contradict it. */
function WrongTotal({
  check: { session, total, sum },
  showStacked,
}: {
  readonly check: TotalCheck;
  readonly showStacked: () => void;
}) {
  return (
    <EmptyState title="Total withheld">
      <p>
        The exchange’s total for {formatDay(session)} is {countOf(total, 'contract')}, but the products add up to{' '}
        {formatCount(sum)}.
      </p>
      <button type="button" onClick={showStacked}>
        Show the products stacked
      </button>
    </EmptyState>
  );
}

function NoRows({ isWholeHistory, showAll }: { readonly isWholeHistory: boolean; readonly showAll: () => void }) {
  return (
    <EmptyState title={isWholeHistory ? 'No session has settled yet' : 'No session settled in this range'}>
      <p>
        {isWholeHistory
          ? 'The exchange has no daily volume or open interest for it.'
          : 'The exchange has no daily volume or open interest for these dates.'}
      </p>
      {!isWholeHistory && (
        <button type="button" onClick={showAll}>
          Show all data
        </button>
      )}
    </EmptyState>
  );
}
