import { SpecificationDoubts } from '#page/panels/products/specification-doubts.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import type { PanelQuery, Stamp } from '#page/panels/panel-body.tsx';
import { describeStale, toFailureKind } from '#page/client/errors.ts';
import { useExplainedByOutage, useOtherRates, useVenueTime } from '#page/client/react/use-desk-status.ts';
import styles from './shared/price.module.css';
import { useZone } from '#page/kit/use-preferences.tsx';
import { formatDay, formatDuration, formatInAllZones, formatInstant } from '#model/format/format-time.ts';
import { Time } from '#page/kit/time/time.tsx';
import { type FundingInterval, toIntervalProgress, whyDoubtful } from '#model/funding/funding-rate.ts';
import { describeOldTrade, formatFundingCountdown, OVERDUE } from '#model/tables/cell-tooltip.ts';
import { whyNoCountdown } from '#model/tables/why-no-countdown.ts';
import { useNow, useNowSelector } from '#page/kit/time/use-now.tsx';
import { sourcesOf } from '#model/units/quantity.ts';
import { toFreshness } from '#page/client/freshness.ts';
import { useExchangeNow } from '#page/panels/use-exchange-time.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { Fragment } from 'react';
import { useMay } from '#page/client/react/use-api.tsx';
import { toDecimal } from '#model/units/decimal.ts';
import { formatBasisPoints, formatNumber, formatQuantity, UNIT_NAMES } from '#model/format/number.ts';
import { describeProvenance, type ProvenanceLine } from '#model/format/provenance.ts';
import { OverdueNotice } from '#page/panels/overdue-notice.tsx';
import { toOrdersAddress } from '#page/panels/orders-address.ts';
import type { NamedReason } from '#model/format/count.ts';
import { Figure } from '#page/kit/figure.tsx';
import { Link, useUrlState } from '#page/kit/navigation.tsx';
import { sessionOf } from '#model/time/session.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { ContractFacts } from '#page/panels/products/contract-facts.tsx';
import { MoreButton, SpecificationToggle } from './disclosure.tsx';
import { useFlash } from '#page/kit/flash.ts';
import { findReason, listReasons, type OverduePrice } from '#model/charts/price/overdue-price.ts';
import type { PriceFact } from '#model/tables/price/funding-facts.ts';
import { PRICE_PARAMS, REFRESH_SECONDS } from './shared/price-params.ts';

interface FactTimeProps {
  readonly at: string;
  /** Funding times are whole minutes, as in `2026-11-26 08:00 UTC`; a trade can be at any second. */
  readonly toTheMinute: boolean;
}

function FactTime({ at, toTheMinute }: FactTimeProps) {
  const [zone] = useZone();
  const text = formatInstant(Date.parse(at), zone);
  return <Time at={at}>{toTheMinute ? text.replace(/:00(?= \D+$)/, '') : text}</Time>;
}

interface NextFundingProps {
  readonly interval: FundingInterval;
  /** The predicted rate is not known yet, and may name a different interval. */
  readonly isPending: boolean;
}

/** Counts down to the next funding time. This is a separate component because it renders every second. */
function NextFunding({ interval, isPending }: NextFundingProps) {
  const toVenueTime = useVenueTime();
  const venueNow = toVenueTime(useNow());
  const reason = whyNoCountdown(interval, venueNow);
  return (
    <div>
      <dt>
        Next funding in <span className={styles['faint']}>h:m:s</span>
      </dt>
      <dd>
        <Time at={interval.interval_end}>
          {formatFundingCountdown(toIntervalProgress(interval, venueNow), isPending)}
        </Time>{' '}
        <span className={styles['of']}>{reason ?? <FactTime at={interval.interval_end} toTheMinute />}</span>
      </dd>
    </div>
  );
}

/** Shows how long ago a trade was, unless it is recent: a price that was just read may be hours old. */
function TradeAge({ at }: { readonly at: Instant }) {
  const text = useExchangeNow((now) => describeOldTrade(at, now));
  return text === null ? null : (
    <Time at={at} of="Last trade">
      {text}
    </Time>
  );
}

interface PriceHeaderProps {
  readonly named: NamedProduct;
  readonly facts: readonly PriceFact[];
  /** Why the published contract size is withheld, or null. */
  readonly sizeWithheld: string | null;
  /** Figures of the chart that are withheld. */
  readonly doubts: readonly NamedReason[];
  readonly overdue: OverduePrice;
  /** The interval of the next funding; null if there is none. */
  readonly interval: FundingInterval | null;
  /** More figures may follow. Their space is reserved, so that the chart below does not move. */
  readonly isLoading: boolean;
  readonly queries: readonly FactQuery[];
}

export function PriceHeader({
  named,
  facts,
  sizeWithheld,
  doubts,
  overdue,
  interval,
  isLoading,
  queries,
}: PriceHeaderProps) {
  const [figures, setFigures] = useUrlState(PRICE_PARAMS.figures);
  // A figure that is withheld because a response is missing may still become available.
  const shown = isLoading ? facts.filter(({ quantity }) => quantity.withheld === null) : facts;
  const reasons = listWithheld(shown, isLoading ? [] : [...toDoubt('Contract size', sizeWithheld), ...doubts]);
  const cells = [...Map.groupBy(shown, ({ name }) => name)];
  return (
    <section className={styles['header']} aria-label={`${named.name} current figures`}>
      <Names named={named} isSizeWithheld={sizeWithheld !== null} />
      <dl
        className={styles['facts']}
        id={FACTS}
        data-loading={isLoading ? (named.product?.type ?? 'other') : undefined}
        data-figures={figures}
      >
        {cells.map(([name, inUnits]) => (
          <FactCell
            key={name}
            subject={String(named.id)}
            name={name}
            inUnits={inUnits}
            old={findReason(name, overdue) ?? inUnits[0]?.notCurrent ?? null}
            queries={queries}
          />
        ))}
        {interval !== null && <NextFunding interval={interval} isPending={isLoading} />}
      </dl>
      <MoreButton shown={figures} set={setFigures} controls={FACTS}>
        {figures === 'all' ? 'Fewer figures' : `All ${String(cells.length + (interval === null ? 0 : 1))} figures`}
      </MoreButton>
      <OverdueNotice causes={[...listReasons(overdue), ...listEnded(shown, queries)]} className={styles['notice']} />
      <SpecificationDoubts products={[named.product]} className={styles['notice']} />
      <DoubtfulRates facts={shown} />
      <FactProblems queries={queries} />
      {reasons.length > 0 && (
        <p className={styles['notice']} role="note">
          <strong>Not available.</strong> {reasons.join(' ')}
        </p>
      )}
    </section>
  );
}

const FACTS = 'price-facts';

/**
 * Lists predicted rates whose interval has ended. Rates that could not be read are reported with the other failed
 * requests.
 */
function listEnded(facts: readonly PriceFact[], queries: readonly FactQuery[]): readonly string[] {
  const failed = new Set(
    queries.flatMap(({ name, query: { data, error } }) =>
      error === null && (data?.staleBecause ?? null) === null ? [] : [name],
    ),
  );
  return facts.flatMap(({ name, notCurrent = null }) =>
    notCurrent === null || failed.has(name) ? [] : [`${name}: ${notCurrent}`],
  );
}

/** Warns about rates that are shown but may be wrong. */
function DoubtfulRates({ facts }: Pick<PriceHeaderProps, 'facts'>) {
  const others = useOtherRates();
  const doubtful = facts.flatMap(({ name, published }) => {
    const doubt = published === undefined ? null : whyDoubtful(published, others);
    return doubt === null ? [] : `${name}: ${doubt}.`;
  });
  if (doubtful.length === 0) return null;
  return (
    <p className={styles['notice']} role="note">
      <strong>In doubt.</strong> {doubtful.join(' ')}
    </p>
  );
}

export function toDoubt(name: string, reason: string | null): readonly NamedReason[] {
  return reason === null ? [] : [{ name, reason }];
}

/** Lists each reason once, after the figures that it withholds. */
function listWithheld(facts: readonly PriceFact[], doubts: readonly NamedReason[]): readonly string[] {
  const withheld = facts.flatMap(({ name, quantity }) =>
    quantity.withheld === null ? [] : [{ name, reason: quantity.withheld }],
  );
  return [...Map.groupBy([...doubts, ...withheld], ({ reason }) => reason)].map(
    ([reason, figures]) => `${[...new Set(figures.map(({ name }) => name))].join(', ')}: ${reason}`,
  );
}

function Names({
  named: { id, name, product },
  isSizeWithheld,
}: Pick<PriceHeaderProps, 'named'> & { readonly isSizeWithheld: boolean }) {
  const mayOpenOrders = useMay('orders');
  return (
    <div className={styles['titleLine']}>
      <h2>{name}</h2>
      {product?.product_name !== undefined && <span>{product.product_name}</span>}
      <span className={styles['faint']}>{describeProduct(product, isSizeWithheld)}</span>
      {product !== null && product.product_status !== 'expired' && (
        <TradingDate everyDay={product.type === 'perpetual'} />
      )}
      {product !== null && <ContractFacts product={product} />}
      <span className={styles['titleLinks']}>
        <SpecificationToggle />
        {product?.type === 'perpetual' && (
          <Link to={`/funding/${encodeURIComponent(product.base_symbol ?? '')}`}>Funding</Link>
        )}
        {mayOpenOrders && product?.symbol !== undefined && <Link to={toOrdersAddress(product.symbol)}>Orders</Link>}
        <Link to={`/volume?product=${String(id)}`}>Volume / OI</Link>
      </span>
    </div>
  );
}

/** Shows the date of the session that is open, or opens next. */
function TradingDate({ everyDay }: { readonly everyDay: boolean }) {
  const day = useExchangeNow((now) => sessionOf(now, { everyDay }));
  return <span className={styles['faint']}>session of {formatDay(day)}</span>;
}

function describeProduct(product: NamedProduct['product'], isSizeWithheld: boolean): string {
  if (product === null) return '';
  const { type, product_status: status, contract_size: size, contract_size_unit: unit } = product;
  const contract =
    size === undefined
      ? undefined
      : `contract size ${isSizeWithheld ? 'n/a' : formatNumber(toDecimal(String(size)))} ${unit ?? ''}`.trim();
  return [type, status === 'active' ? undefined : status, contract].filter((text) => text !== undefined).join(' · ');
}

interface FactCellProps {
  /** Identifies the product. */
  readonly subject: string;
  readonly name: string;
  readonly inUnits: readonly PriceFact[];
  /** Why the figure is old, or null. */
  readonly old: string | null;
  readonly queries: readonly FactQuery[];
}

/** Shows one figure in its units, such as `+24.40 / +0.46`, each with its own provenance. */
function FactCell({ subject, name, inUnits, old, queries }: FactCellProps) {
  const age = useAgeUnlessLive(inUnits, queries);
  return (
    <div data-old={old === null && age === null ? undefined : true}>
      <dt>
        {name}{' '}
        <span className={styles['faint']}>
          {inUnits
            .map(({ quantity, inBasisPoints }) => (inBasisPoints === true ? 'bp' : UNIT_NAMES[quantity.unit]))
            .join(' / ')}
        </span>
      </dt>
      <dd>
        {inUnits.map((fact, index) => (
          <Fragment key={fact.quantity.unit}>
            {index > 0 && ' / '}
            <FactFigure fact={fact} subject={subject} old={old} />
          </Fragment>
        ))}
        {inUnits.map(({ quantity: { unit }, remark, at, tradedAt }) => (
          <Fragment key={unit}>
            {' '}
            <span className={styles['of']}>
              {remark}
              {remark !== undefined && at !== undefined && ' '}
              {at !== undefined && <FactTime at={at} toTheMinute={tradedAt === undefined} />}
              {at !== undefined && tradedAt !== undefined && ' '}
              {tradedAt !== undefined && <TradeAge at={tradedAt} />}
            </span>
          </Fragment>
        ))}
        {age !== null && (
          <>
            {' '}
            <span className={styles['of']}>{age}</span>
          </>
        )}
      </dd>
    </div>
  );
}

/**
 * Returns the age of the oldest response behind a figure, unless all of them are live: most figures have no time of
 * their own, so an old one would look current.
 */
function useAgeUnlessLive(inUnits: readonly PriceFact[], queries: readonly FactQuery[]): string | null {
  return useNowSelector((now) => {
    const endpoints = new Set(inUnits.flatMap(({ quantity }) => sourcesOf(quantity).map(({ endpoint }) => endpoint)));
    const ages = queries.flatMap(({ query: { data, ...failure } }) => {
      if (data?.endpoint === undefined || !endpoints.has(data.endpoint)) return [];
      const { mark, ageSeconds } = toFreshness({ data, ...failure }, { reuseSeconds: toReadingSeconds(data) }, now);
      return mark === 'live' || mark === 'settled' ? [] : [ageSeconds];
    });
    return ages.length === 0 ? null : `${formatDuration(Math.max(...ages))} old`;
  });
}

/** How often the header’s figures are read, unless the server pushes them at an interval of its own. */
function toReadingSeconds({ cadence }: Stamp): number {
  return Math.max(REFRESH_SECONDS, cadence?.everySeconds ?? 0);
}

function FactFigure({ fact, subject, old }: { readonly fact: PriceFact } & Pick<FactCellProps, 'subject' | 'old'>) {
  const { name, quantity, signed = false, meaning, tradedAt } = fact;
  const text = quantity.withheld === null ? toText(fact) : 'n/a';
  const facts = (): readonly ProvenanceLine[] => [
    ...(old === null ? [] : [{ name: OVERDUE, value: old }]),
    ...(meaning === undefined ? [] : [{ name: 'Who pays', value: meaning }]),
    ...describeProvenance(quantity, formatInAllZones),
  ];
  const isPrice = tradedAt !== undefined;
  const flashing = useFlash<HTMLSpanElement>(subject, isPrice ? (quantity.value?.toNumber() ?? null) : null);
  return (
    <span
      ref={flashing}
      className={isPrice ? styles['price'] : undefined}
      data-flashes={isPrice || undefined}
      data-direction={signed ? directionOf(text) : undefined}
    >
      <Figure text={text} name={name} provenance={facts} />
    </span>
  );
}

function toText({ quantity, signed = false, digits, inBasisPoints = false }: PriceFact): string {
  return inBasisPoints
    ? formatBasisPoints(quantity.value)
    : formatQuantity(quantity, { signed, ...(digits !== undefined && { digits }) });
}

function directionOf(text: string): 'up' | 'down' | undefined {
  return text.startsWith('+') ? 'up' : text.startsWith('−') ? 'down' : undefined;
}

/** A request that fills the header, with the name of its figures. */
export interface FactQuery {
  readonly name: string;
  readonly query: Pick<PanelQuery<Stamp>, 'data' | 'error' | 'errorUpdatedAt'>;
  /** Whether the chart is drawn from it too, whose panel reports its problems. */
  readonly isOfChart?: boolean;
}

/**
 * Reports which header figures are missing or old, and why. The chart's freshness mark covers only the chart's own
 * prices.
 */
function FactProblems({ queries: all }: { readonly queries: readonly FactQuery[] }) {
  const queries = all.filter(({ isOfChart = false }) => !isOfChart);
  const failed = queries.find((query) => whyMissing(query) !== null)?.query;
  const isExplained = useExplainedByOutage(
    failed?.error ?? failed?.data?.staleBecause ?? null,
    failed?.error ? failed.errorUpdatedAt : (failed?.data?.receivedAt ?? 0),
  );
  if (isExplained) return null;
  const missing = queries.filter(({ query }) => query.data === undefined);
  const old = queries.filter(({ query }) => query.data !== undefined);
  return (
    <>
      <Problem title="Not loaded." queries={missing} />
      <Problem title="Stale." queries={old} />
    </>
  );
}

/** The first reason stands for all, since requests usually fail together. */
function Problem({ title, queries }: { readonly title: string; readonly queries: readonly FactQuery[] }) {
  const failed = queries.flatMap((query) => {
    const reason = whyMissing(query);
    return reason === null ? [] : [{ name: query.name, reason }];
  });
  const text = failed[0] === undefined ? null : `${failed.map(({ name }) => name).join(', ')}: ${failed[0].reason}`;
  useAnnounced(text === null ? null : `${title} ${text}`, true);
  return text === null ? null : (
    <p className={styles['notice']} role="note">
      <strong>{title}</strong> {text}
    </p>
  );
}

/** A rejected request is not reported: this exchange does not have the figure. */
function whyMissing({ query: { data, error } }: FactQuery): string | null {
  if (error === null) return data === undefined || data.staleBecause === null ? null : describeStale(data.staleBecause);
  return data === undefined && toFailureKind(error) === 'refused' ? null : error.message;
}
