import { useMemo } from 'react';
import { formatBasisPoints, formatPercent, formatRate, type NumberFormat } from '#domain/format/number.ts';
import { describeProvenance } from '#domain/format/provenance.ts';
import { formatQuantity } from '#domain/format/quantity.ts';
import type { Estimate } from '#domain/funding/estimate.ts';
import { toIntervalProgress } from '#domain/funding/funding-rate.ts';
import { RATE_FORM_LABELS } from '#domain/funding/rate-form.ts';
import type { Quantity } from '#domain/units/quantity.ts';
import { toDecimal } from '#domain/units/decimal.ts';
import { describeFunding } from '#domain/funding/payer.ts';
import { wireText } from '#contract/wire-text.ts';
import { useAnnounced } from '#ui/live-region.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { formatInAllZones } from '#ui/time/format-time.ts';
import { formatFundingCountdown } from '#panels/funding-countdown.ts';
import { Time, Timestamp } from '#ui/time/time.tsx';
import { formatShare } from '../interval-text.ts';
import { FigureFact } from './figure-fact.tsx';
import type { PerpetualData } from './perpetual-data.ts';
import { countUsdDigits, toEstimateFigures, toPrintFigures } from './rate-figures.ts';
import { PERPETUAL_PARAMS } from './perpetual-params.ts';
import styles from './perpetual.module.css';

interface OneHeaderProps {
  readonly data: PerpetualData;
  readonly estimate: Estimate | null;
  readonly estimateError: Error | null;
  readonly venueNow: number;
  /** Without them nothing in ticks is converted; it is said only when they do not come. */
  readonly awaitsPrices: boolean;
}

/** Who pays whom now: what was settled last, and beside it, never mixed with it, what the interval in progress may bring. */
export function PerpetualHeader({ data, estimate, estimateError, venueNow, awaitsPrices }: OneHeaderProps) {
  const [form] = useUrlState(PERPETUAL_PARAMS.form);
  const [side] = useUrlState(PERPETUAL_PARAMS.side);
  const { perpetual, product, conversion, series } = data;
  const last = series.prints.at(-1)?.row;
  useAnnounced(perpetual.stale_because === null ? null : `Not current. ${perpetual.stale_because}`, true);
  const digits = useMemo(() => countUsdDigits(series.prints.map(({ row }) => row), conversion), [series, conversion]);
  const latest = last === undefined ? null : toPrintFigures(data, last, form, side);
  return (
    <section className={styles['header']} aria-label={`${perpetual.base_symbol} now`}>
      <div className={styles['names']}>
        <h2>{perpetual.base_symbol}</h2>
        <span>{product?.product_name}</span>
        <span className={styles['links']}>
          <Link to={`/price/${String(perpetual.product_id)}`}>Price</Link>
          <Link to={`/volume?product=${String(perpetual.product_id)}`}>Volume / OI</Link>
        </span>
      </div>
      <div className={styles['now']}>
        {latest !== null && last !== undefined && (
          <dl className={styles['settled']} data-testid="last-settled">
            <FigureFact name="Last settled" unit="% per 8 h" provenance={tell(latest.settled)} text={formatRate(latest.settled.value)}>
              {describeFunding(toDecimal(wireText(last, 'funding_rate')))}
            </FigureFact>
            {form !== 'interval' && <FigureFact name="As" unit={RATE_FORM_LABELS[form].unit} provenance={tell(latest.inForm)} text={toFormText(latest.inForm, form)} />}
            <FigureFact name="Index" unit={unitOf(latest.index)} provenance={tell(latest.index)} text={formatQuantity(latest.index, digitsOf(latest.index, digits.price_index))} />
            <FigureFact name="Mark" unit={unitOf(latest.mark)} provenance={tell(latest.mark)} text={formatQuantity(latest.mark, digitsOf(latest.mark, digits.mark_price))} />
            <FigureFact name="Mark over index" unit="bp" provenance={tell(latest.premium)} text={formatBasisPoints(latest.premium.value)} />
            <div>
              <dt>Settled at</dt>
              <dd>
                <Timestamp at={last.interval_end} />
              </dd>
            </div>
          </dl>
        )}
        {estimate === null ? <NoEstimate error={estimateError} /> : <EstimateBox estimate={estimate} venueNow={venueNow} />}
      </div>
      <NotCurrent perpetual={perpetual} />
      {typeof conversion?.withheld === 'string' && !awaitsPrices && (
        <p className={styles['notice']} role="note">
          <strong>USD withheld.</strong> {conversion.withheld} Index and mark are told in ticks, as they came.
        </p>
      )}
    </section>
  );
}

/** Of what was never read there is nothing to be old: the panel below says so. */
function NotCurrent({ perpetual: { known_to, read_at, stale_because } }: Pick<PerpetualData, 'perpetual'>) {
  if (stale_because === null || read_at === null) return null;
  return (
    <p className={styles['notice']}>
      <strong>Not current.</strong> {known_to === null ? 'No print is known' : <>The newest print known is of <Timestamp at={known_to} /></>}; last read <Timestamp at={read_at} />. {stale_because}
    </p>
  );
}

function EstimateBox({ estimate, venueNow }: { readonly estimate: Estimate; readonly venueNow: number }) {
  const [form] = useUrlState(PERPETUAL_PARAMS.form);
  const [side] = useUrlState(PERPETUAL_PARAMS.side);
  const { rate, inForm } = toEstimateFigures(estimate, form, side);
  const progress = toIntervalProgress(estimate.value, venueNow);
  const { notCurrent } = estimate;
  useAnnounced(notCurrent === null ? null : `The estimate is not current. ${notCurrent}`, true);
  return (
    <dl className={styles['estimate']} data-testid="estimate" data-old={notCurrent === null ? undefined : true}>
      <FigureFact name="◇ Estimate" unit="% per 8 h" provenance={tell(rate)} text={formatRate(rate.value)}>
        not settled
      </FigureFact>
      {notCurrent !== null && (
        <div>
          <dt>Not current</dt>
          <dd>{notCurrent}</dd>
        </div>
      )}
      {form !== 'interval' && <FigureFact name="As" unit={RATE_FORM_LABELS[form].unit} provenance={tell(inForm)} text={toFormText(inForm, form)} />}
      {progress !== null && (
        <>
          <div>
            <dt>Elapsed</dt>
            <dd data-testid="elapsed">{formatShare(progress.elapsed)}</dd>
          </div>
          <div>
            <dt>Weight fixed</dt>
            <dd title="Sample i of 1,920 weighs i: half-way only a quarter of the rate is fixed">{formatShare(progress.fixed)}</dd>
          </div>
          <div>
            <dt>Ends in</dt>
            <dd>
              <Time at={estimate.value.interval_end}>{formatFundingCountdown(progress)}</Time>
            </dd>
          </div>
          <div>
            <dt>Ends at</dt>
            <dd>
              <Timestamp at={estimate.value.interval_end} />
            </dd>
          </div>
        </>
      )}
    </dl>
  );
}

function NoEstimate({ error }: { readonly error: Error | null }) {
  return <p className={styles['estimate']}>{error === null ? 'Reading the estimate …' : `There is no estimate: ${error.message}`}</p>;
}

function tell(quantity: Quantity) {
  return () => describeProvenance(quantity, formatInAllZones);
}

function toFormText({ value }: Quantity, form: keyof typeof RATE_FORM_LABELS): string {
  return value === null ? 'not 8 h' : formatPercent(value, { digits: RATE_FORM_LABELS[form].digits, signed: true });
}

/** Ticks are told as they came. */
function digitsOf({ unit }: Quantity, digits: number): NumberFormat {
  return unit === 'USD' ? { digits } : {};
}

function unitOf({ unit }: Quantity): string {
  return unit === 'ticks' ? 'ticks' : 'USD';
}
