import { useMemo } from 'react';
import {
  formatBasisPoints,
  formatPercent,
  formatQuantity,
  formatRate,
  type NumberFormat,
} from '#model/format/number.ts';
import { describeProvenance } from '#model/format/provenance.ts';
import type { Estimate } from '#model/funding/estimate.ts';
import {
  describeFunding,
  type FundingInterval,
  RATE_FORM_LABELS,
  toIntervalProgress,
  whyDoubtful,
} from '#model/funding/funding-rate.ts';
import { findOverdueRate, isBaseline } from '#model/funding/funding-series.ts';
import { describeOverdue } from '#model/time/overdue.ts';
import type { Quantity } from '#model/units/quantity.ts';
import { toDecimal } from '#model/units/decimal.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { Link, useAddress, useUrlState } from '#page/kit/navigation.tsx';
import { useOutage, useVenueTime } from '#page/client/react/use-desk-status.ts';
import { useTitleSubject } from '#page/kit/window-title.ts';
import { keepRange } from '#model/products/keep-range.ts';
import { toPriceAddress, toVolumeAddress } from '#model/products/product-address.ts';
import { useNow } from '#page/kit/time/use-now.tsx';
import { formatInAllZones } from '#model/format/format-time.ts';
import { formatFundingCountdown, OVERDUE } from '#model/tables/cell-tooltip.ts';
import { LeftOutNote } from '#page/panels/missing-rows.tsx';
import { OverdueNotice } from '#page/panels/overdue-notice.tsx';
import { whyNoCountdown } from '#model/tables/why-no-countdown.ts';
import { Time } from '#page/kit/time/time.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import {
  explainYearPercentile,
  FORM_HEADERS,
  formatShare,
  formatYearPercentile,
  WEIGHT_SO_FAR,
} from '#model/tables/funding/rate-text.ts';
import { whyLastInDoubt } from '#model/tables/funding/compare-row.ts';
import { FigureFact } from '../figures.tsx';
import type { PerpetualData } from '#model/tables/funding/perpetual-data.ts';
import { toPriceRange } from '#model/tables/funding/perpetual-path.ts';
import { PERPETUAL_PARAMS } from '#model/tables/funding/perpetual-params.ts';
import { countUsdDigits, toEstimateFigures, toPrintFigures } from '#model/charts/funding/rate-figures.ts';
import styles from '../perpetual.module.css';

interface PerpetualHeaderProps {
  readonly data: PerpetualData;
  readonly estimate: Estimate | null;
  readonly estimateError: Error | null;
  /** The prices that check the tick size are still loading. */
  readonly awaitsPrices: boolean;
}

/** Shows the latest settled rate and, in a separate box, the predicted rate of the current interval. */
export function PerpetualHeader({ data, estimate, estimateError, awaitsPrices }: PerpetualHeaderProps) {
  const { perpetual, product, conversion, series } = data;
  const isOut = useOutage() !== null;
  // During an outage, the outage bar reports this for the whole screen and announces it.
  useAnnounced(isOut || perpetual.stale_because === null ? null : `Stale. ${perpetual.stale_because}`, true);
  useTitleSubject(`${perpetual.base_symbol} · Funding`);
  const overdue = findOverdueRate(series);
  const late = overdue && describeOverdue('settled rate', overdue);
  const range = toPriceRange(useAddress().query);
  return (
    <section className={styles['header']} aria-label={`${perpetual.base_symbol} current funding`}>
      <div className={styles['titleLine']}>
        <h2>{perpetual.base_symbol}</h2>
        <span>{product?.product_name}</span>
        <span className={styles['titleLinks']}>
          <a href="#carry">Carry</a>
          <Link to={keepRange(toPriceAddress(product ?? perpetual), range)}>Price</Link>
          <Link to={keepRange(toVolumeAddress(product ?? perpetual), range)}>Volume / OI</Link>
        </span>
      </div>
      <div className={styles['now']}>
        <LastSettled data={data} overdue={late} />
        {estimate === null ? <NoPredictedRate error={estimateError} /> : <PredictedRate estimate={estimate} />}
      </div>
      <OverdueNotice causes={[late]} className={styles['notice']} />
      {!isOut && <NotCurrent perpetual={perpetual} />}
      <RateDoubt data={data} />
      {perpetual.left_out > 0 && (
        <p className={styles['notice']} role="note">
          <LeftOutNote count={perpetual.left_out} />
        </p>
      )}
      {typeof conversion?.withheld === 'string' && !awaitsPrices && (
        <p className={styles['notice']} role="note">
          <strong>USD prices withheld.</strong> {conversion.withheld} Index and mark are shown in ticks.
        </p>
      )}
    </section>
  );
}

/** Says why the last settled rate is doubtful, and which other rate the exchange has published for its interval. */
function RateDoubt({ data: { series, otherRate } }: Pick<PerpetualHeaderProps, 'data'>) {
  const doubt = whyLastInDoubt({ last: series.prints.at(-1)?.row ?? null, series });
  if (otherRate === null && doubt === null) return null;
  return (
    <p className={styles['notice']} role="note">
      <strong>Settled rate in doubt.</strong> {doubt !== null && `It is ${doubt}. `}
      {otherRate !== null && (
        <>
          For the interval to <Timestamp at={otherRate.settledAt} />, the exchange’s latest rates say{' '}
          {`${formatRate(otherRate.latest)} %`} and its history {`${formatRate(otherRate.ofHistory)} %`}.
        </>
      )}
    </p>
  );
}

interface LastSettledProps {
  readonly data: PerpetualData;
  /** Why the figure is old, or null. */
  readonly overdue: string | null;
}

function LastSettled({ data, overdue }: LastSettledProps) {
  const [form] = useUrlState(PERPETUAL_PARAMS.form);
  const [side] = useUrlState(PERPETUAL_PARAMS.side);
  const {
    series,
    conversion,
    source,
    perpetual: { year_rank },
  } = data;
  const digits = useMemo(
    () =>
      countUsdDigits(
        series.prints.map(({ row }) => row),
        conversion,
      ),
    [series, conversion],
  );
  const last = series.prints.at(-1)?.row;
  if (last === undefined) return null;
  const latest = toPrintFigures(data, last, form, side);
  const explain = (quantity: Quantity) => () => [
    ...(overdue === null ? [] : [{ name: OVERDUE, value: overdue }]),
    ...describeProvenance(quantity, formatInAllZones),
  ];
  return (
    <dl className={styles['settled']} data-testid="last-settled" data-old={overdue === null ? undefined : true}>
      <FigureFact
        name="Settled rate"
        unit="% per 8 h"
        provenance={explain(latest.settled)}
        text={formatRate(latest.settled.value)}
      >
        {describeFunding(toDecimal(wireText(last, 'funding_rate')))}
      </FigureFact>
      {form !== 'interval' && (
        <FigureFact
          name={FORM_HEADERS[form].one}
          unit={FORM_HEADERS[form].unit}
          provenance={explain(latest.inForm)}
          text={toFormText(latest.inForm, form)}
        />
      )}
      <FigureFact
        name="Percentile"
        unit="%, 1 year"
        provenance={() => explainYearPercentile(year_rank, side, source)}
        text={isBaseline(last) ? 'at interest rate' : formatYearPercentile(year_rank, side)}
      />
      <FigureFact
        name="Index at last funding"
        unit={unitOf(latest.index)}
        provenance={explain(latest.index)}
        text={formatQuantity(latest.index, digitsOf(latest.index, digits.price_index))}
      />
      <FigureFact
        name="Mark at last funding"
        unit={unitOf(latest.mark)}
        provenance={explain(latest.mark)}
        text={formatQuantity(latest.mark, digitsOf(latest.mark, digits.mark_price))}
      />
      <FigureFact
        name="Premium"
        unit="bp"
        provenance={explain(latest.premium)}
        text={formatBasisPoints(latest.premium.value)}
      />
      <div>
        <dt>Last funding time</dt>
        <dd>
          <Timestamp at={last.interval_end} />
        </dd>
      </div>
    </dl>
  );
}

/** Shows nothing before the first read: the panel below explains that case. */
function NotCurrent({ perpetual: { known_to, read_at, stale_because } }: Pick<PerpetualData, 'perpetual'>) {
  if (stale_because === null || read_at === null) return null;
  return (
    <p className={styles['notice']}>
      <strong>Stale.</strong>{' '}
      {known_to === null ? (
        'No settled rate yet'
      ) : (
        <>
          Latest settled rate: <Timestamp at={known_to} />
        </>
      )}
      ; last read <Timestamp at={read_at} />. {stale_because}
    </p>
  );
}

function PredictedRate({ estimate }: { readonly estimate: Estimate }) {
  const [form] = useUrlState(PERPETUAL_PARAMS.form);
  const [side] = useUrlState(PERPETUAL_PARAMS.side);
  const { rate, inForm } = toEstimateFigures(estimate, form, side);
  const { notCurrent } = estimate;
  const doubt = whyDoubtful(estimate.value);
  const isOut = useOutage() !== null;
  useAnnounced(isOut || notCurrent === null ? null : `The predicted rate is stale. ${notCurrent}`, true);
  return (
    <dl className={styles['estimate']} data-testid="estimate" data-old={notCurrent === null ? undefined : true}>
      <FigureFact
        name="◇ Predicted rate"
        unit="% per 8 h"
        provenance={() => describeProvenance(rate, formatInAllZones)}
        text={formatRate(rate.value)}
      >
        not settled
      </FigureFact>
      {notCurrent !== null && (
        <div>
          <dt>Stale</dt>
          <dd>{notCurrent}</dd>
        </div>
      )}
      {form !== 'interval' && (
        <FigureFact
          name={FORM_HEADERS[form].one}
          unit={FORM_HEADERS[form].unit}
          provenance={() => describeProvenance(inForm, formatInAllZones)}
          text={toFormText(inForm, form)}
        />
      )}
      {doubt !== null && (
        <div>
          <dt>In doubt</dt>
          <dd>{doubt}</dd>
        </div>
      )}
      <IntervalProgress interval={estimate.value} />
    </dl>
  );
}

/** This is a separate component because it renders every second. */
function IntervalProgress({ interval }: { readonly interval: FundingInterval }) {
  const toVenueTime = useVenueTime();
  const venueNow = toVenueTime(useNow());
  const progress = toIntervalProgress(interval, venueNow);
  if (progress === null) return null;
  const reason = whyNoCountdown(interval, venueNow);
  return (
    <>
      <div>
        <dt>Elapsed</dt>
        <dd data-testid="elapsed">{formatShare(progress.elapsed)}</dd>
      </div>
      <div>
        <dt>Weight so far</dt>
        <dd title={WEIGHT_SO_FAR}>{formatShare(progress.weight)}</dd>
      </div>
      <div>
        <dt>Next funding in</dt>
        <dd>
          <Time at={interval.interval_end}>{formatFundingCountdown(progress)}</Time>
        </dd>
      </div>
      {reason !== null && (
        <div>
          <dt>No countdown</dt>
          <dd>{reason}</dd>
        </div>
      )}
      <div>
        <dt>Funding time</dt>
        <dd>
          <Timestamp at={interval.interval_end} />
        </dd>
      </div>
    </>
  );
}

function NoPredictedRate({ error }: { readonly error: Error | null }) {
  return (
    <p className={styles['estimate']}>
      {error === null ? 'Loading predicted rate…' : `No predicted rate: ${error.message}`}
    </p>
  );
}

function toFormText({ value }: Quantity, form: keyof typeof RATE_FORM_LABELS): string {
  return value === null ? 'not 8 h' : formatPercent(value, { digits: RATE_FORM_LABELS[form].digits, signed: true });
}

/** Prices in ticks keep the digits they were received with. */
function digitsOf({ unit }: Quantity, digits: number): NumberFormat {
  return unit === 'USD' ? { digits } : {};
}

function unitOf({ unit }: Quantity): string {
  return unit === 'ticks' ? 'ticks' : 'USD';
}
