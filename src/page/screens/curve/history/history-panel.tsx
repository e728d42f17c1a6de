import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Day } from '#contract/exchange/instant.ts';
import {
  type BasisHistory,
  type DatedProduct,
  type HistorySubject,
  listHistoryMonths,
  toBasisHistory,
  toHistoryStart,
} from '#model/curve/history/basis-history.ts';
import { toCurve } from '#model/curve/curve-months.ts';
import { CURVE_PARAMS } from '#model/curve/curve-params.ts';
import { describeRange } from '#model/curve/history/history-chart.ts';
import { HISTORY_FIGURES, HISTORY_PARAMS, HISTORY_RANGES } from '#model/curve/history/history-params.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { formatDay } from '#model/format/format-time.ts';
import { nameProduct } from '#model/products/product-directory.ts';
import type { Source } from '#model/response.ts';
import { addDays, latestSessionOf } from '#model/time/session.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { joinQueries } from '#page/panels/join-queries.ts';
import { PanelBody, Skeleton } from '#page/panels/panel-body.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { useExchangeSnapshot } from '#page/panels/use-exchange-time.ts';
import { ReasonList } from '../shared/reason-list.tsx';
import { SeriesControl } from '../shared/series-control.tsx';
import { type DataResponse, SESSION_SECONDS, useCurveSession } from '../shared/use-curve-session.ts';
import { BySettlements } from '../shared/by-settlements.tsx';
import styles from '../shared/curve.module.css';
import { HistoryHeatmap } from './history-heatmap.tsx';
import { HistoryLines } from './history-lines.tsx';
import { type PriceQuery, usePriceHistories } from './use-price-histories.ts';

const NO_PRODUCTS: readonly DeskProduct[] = [];

/** What the months of a series cost over the perpetual, session by session. */
export function HistoryPanel({ underlying }: { readonly underlying: string }) {
  const { queries } = useApi();
  const { data } = useQuery(queries.desk.products({}));
  const products = data?.value.products ?? NO_PRODUCTS;
  return (
    <Panel title={`${underlying} basis over time`} query={useCurveSession(products)} everySeconds={SESSION_SECONDS}>
      {({ session, response }) =>
        session === null ? (
          <EmptyState title={`No months of ${underlying} have settled`} />
        ) : (
          <OfSeries {...{ underlying, products, response, session }} />
        )
      }
    </Panel>
  );
}

interface OfSeriesProps {
  readonly underlying: string;
  readonly products: readonly DeskProduct[];
  /** The product data of the session, which list the series and the perpetual. */
  readonly response: DataResponse;
  readonly session: Day;
}

function OfSeries({ underlying, products, response, session }: OfSeriesProps) {
  const [series] = useUrlState(CURVE_PARAMS.series);
  const curve = useMemo(
    () => toCurve({ directory: products, data: response, underlying, baseSymbol: series, session }),
    [products, response, underlying, series, session],
  );
  const [range, setRange] = useUrlState(HISTORY_PARAMS.range);
  const [as, setAs] = useUrlState(HISTORY_PARAMS.as);
  const [figure, setFigure] = useUrlState(HISTORY_PARAMS.figure);
  const today = useExchangeSnapshot(`${underlying} ${range}`, latestSessionOf);
  const baseSymbol = curve?.baseSymbol ?? '';
  const subject = useMemo(
    (): HistorySubject => ({ underlying, baseSymbol, from: toHistoryStart(range, today), until: session }),
    [underlying, baseSymbol, range, today, session],
  );
  const months = useMemo(() => listHistoryMonths(products, subject), [products, subject]);
  if (curve === null) return <EmptyState title={`No months of ${underlying}`} />;
  if (curve.perpetual === null)
    return (
      <EmptyState title={`No perpetual of ${underlying}`}>
        <p>A basis is measured against a perpetual of the same underlying, and the exchange lists none.</p>
      </EmptyState>
    );
  return (
    <>
      <div className={styles['tools']}>
        <Segmented label="Shown as" choices={FORMS} value={as} onChange={setAs} />
        <Segmented label="Range" choices={RANGES} value={range} onChange={setRange} />
        {as === 'lines' && <Segmented label="Basis in" choices={FIGURES} value={figure} onChange={setFigure} />}
        <SeriesControl curve={curve} />
      </div>
      <Prices {...{ subject, months }} perpetual={curve.perpetual.product} />
    </>
  );
}

const FORMS = [
  ['lines', 'Lines'],
  ['heatmap', 'Heatmap'],
] as const;
const RANGES = HISTORY_RANGES.map((range) => [range, range] as const);
const FIGURE_NAMES = { aYear: '% a year', usd: 'USD', fraction: '%' } as const;
const FIGURES = HISTORY_FIGURES.map((figure) => [figure, FIGURE_NAMES[figure]] as const);

interface PricesProps {
  readonly subject: HistorySubject;
  readonly months: readonly DatedProduct[];
  readonly perpetual: DeskProduct;
}

/** Reads the prices, says how many are read, and shows the history once none is on its way. */
function Prices({ subject, months, perpetual }: PricesProps) {
  const products = useMemo(() => [perpetual, ...months], [perpetual, months]);
  const reads = usePriceHistories(products, subject.from);
  const read = reads.filter(({ data, error }) => data !== undefined || error !== null).length;
  const isRead = read === products.length;
  const history = useMemo(
    () => (isRead ? toHistory(subject, { months, perpetual, reads }) : null),
    [isRead, subject, months, perpetual, reads],
  );
  if (!isRead)
    return (
      <>
        <p className={styles['headline']}>
          <strong>
            {formatCount(read)} of {countOf(products.length, 'product')} read
          </strong>
          <span>{describeReading(subject, months, perpetual)}</span>
        </p>
        <Skeleton />
      </>
    );
  const [base, ...others] = reads;
  const failed = others.filter(({ data }) => data === undefined);
  return (
    <PanelBody query={joinQueries(reads.filter((each) => each === base || each.data !== undefined))}>
      {(source) => (
        <>
          {failed.length > 0 && <Failed months={months} others={others} />}
          {history !== null && <Shown history={history} source={source} />}
        </>
      )}
    </PanelBody>
  );
}

function describeReading({ from }: HistorySubject, months: readonly DatedProduct[], perpetual: DeskProduct): string {
  return (
    `${countOf(months.length + 1, 'request')}, one for each of ${countOf(months.length, 'month')} and one for ` +
    `${nameProduct(perpetual)}, for prices from ${formatDay(from)} on. Settled sessions are read from the exchange once.`
  );
}

interface Reads {
  readonly months: readonly DatedProduct[];
  readonly perpetual: DeskProduct;
  /** Of the perpetual, then of the months. */
  readonly reads: readonly PriceQuery[];
}

function toHistory(subject: HistorySubject, { months, perpetual, reads }: Reads): BasisHistory | null {
  const [base, ...others] = reads;
  if (base?.data === undefined) return null;
  const ofMonths = months.map((product, at) => ({
    product,
    prices: others[at]?.data ?? { missingBecause: others[at]?.error?.message ?? '' },
  }));
  return toBasisHistory(subject, ofMonths, { product: perpetual, prices: base.data });
}

interface FailedProps {
  readonly months: readonly DatedProduct[];
  readonly others: readonly PriceQuery[];
}

/** Lists the months that could not be read, of which the history has gaps. */
function Failed({ months, others }: FailedProps) {
  const failed = months.flatMap((product, at) => {
    const { data, error, refetch, isFetching } = others[at] ?? {};
    return data === undefined && error ? [{ name: nameProduct(product), error, refetch, isFetching }] : [];
  });
  return (
    <>
      <ReasonList label="Not read" reasons={failed.map(({ name, error }) => `${name} is missing: ${error.message}`)} />
      <p className={styles['foot']}>
        <button
          type="button"
          disabled={failed.some(({ isFetching }) => isFetching)}
          onClick={() => {
            for (const { refetch } of failed) void refetch?.();
          }}
        >
          Read {countOf(failed.length, 'month')} again
        </button>
      </p>
    </>
  );
}

interface ShownProps {
  readonly history: BasisHistory;
  /** The oldest of the responses. */
  readonly source: Source;
}

function Shown({ history, source }: ShownProps) {
  const [as] = useUrlState(HISTORY_PARAMS.as);
  const [figure] = useUrlState(HISTORY_PARAMS.figure);
  const { sessions, baseSymbol, perpetual, from, until } = history;
  if (sessions.length === 0)
    return (
      <EmptyState title={`No basis of ${baseSymbol} since ${formatDay(from)}`}>
        <p>
          No month settled in a session in which {perpetual} settled as well, until {formatDay(until)}.
        </p>
      </EmptyState>
    );
  return (
    <>
      <p className={styles['headline']}>
        <strong>{describeRange(history, as === 'lines' ? figure : 'aYear') ?? 'No basis in this range'}</strong>
        <span>
          {describeSessions(history)}
          <BySettlements />
        </span>
      </p>
      {as === 'lines' ? (
        <HistoryLines history={history} source={source} />
      ) : (
        <HistoryHeatmap history={history} source={source} />
      )}
    </>
  );
}

/** Says which sessions are shown, why they begin later than the range, and which weekdays have none. */
function describeSessions({ sessions, from, until, perpetual, withoutMonths }: BasisHistory): string {
  const [first = until, last = until] = [sessions[0], sessions.at(-1)];
  const range = `${countOf(sessions.length, 'session')} from ${formatDay(first)} to ${formatDay(last)}.`;
  const late =
    addDays(from, DAYS_OFF) < first ? ` ${perpetual} and the months have no earlier settlements in common.` : '';
  const closed =
    withoutMonths.length === 0
      ? ''
      : ` ${countOf(withoutMonths.length, 'weekday')} in between without a settlement of any month: ` +
        `${withoutMonths.map(formatDay).join(', ')}.`;
  return range + late + closed;
}

/** A range may begin with as many days without a session, such as a weekend and holidays. */
const DAYS_OFF = 5;
