import { SpecificationDoubts } from '#page/panels/products/specification-doubts.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import type { PanelQuery, Stamp } from '#page/panels/panel-body.tsx';
import { describeStale, toFailureKind } from '#page/client/errors.ts';
import { useExplainedByOutage, useOtherRates, useVenueTime } from '#page/client/react/use-desk-status.ts';
import styles from './shared/price.module.css';
import { useZone } from '#page/kit/use-preferences.tsx';
import {
  formatDay,
  formatDuration,
  formatInAllZones,
  formatInstant,
  formatTimeOfDay,
} from '#model/format/format-time.ts';
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
import { formatBasisPoints, formatQuantity, UNIT_NAMES } from '#model/format/number.ts';
import { describeProvenance, type ProvenanceLine } from '#model/format/provenance.ts';
import { OverdueNotice } from '#page/panels/overdue-notice.tsx';
import type { NamedReason } from '#model/format/count.ts';
import { Figure } from '#page/kit/figure.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { sessionOf } from '#model/time/session.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { CHANGE_SINCE_SETTLEMENT } from '#model/markets/market-prices.ts';
import { findTrading, formatOpening } from '#model/products/trading.ts';
import { useTitleSubject } from '#page/kit/window-title.ts';
import { MoreButton } from './disclosure.tsx';
import { ProductTitle } from './product-title.tsx';
import { useFlash } from '#page/kit/flash.ts';
import { findReason, listReasons, type OverduePrice } from '#model/charts/price/overdue-price.ts';
import type { PriceFact } from '#model/tables/price/funding-facts.ts';
import { PRICE_PARAMS, REFRESH_SECONDS } from './shared/price-params.ts';

const DAY_MS = 86_400_000;

interface FactTimeProps {
  readonly at: string;
  /** Funding times are whole minutes, as in `2026-11-26 08:00 UTC`; a trade can be at any second. */
  readonly toTheMinute: boolean;
}

/** A time within a day of now needs no date. */
function FactTime({ at, toTheMinute }: FactTimeProps) {
  const [zone] = useZone();
  const time = Date.parse(at);
  const isRecent = useExchangeNow((now) => Number(Math.abs(now - time) < DAY_MS)) === 1;
  const text = isRecent ? formatTimeOfDay(time, zone) : formatInstant(time, zone);
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
        Next in <span className={styles['faint']}>h:m:s</span>{' '}
        <span className={styles['of']}>{reason ?? <FactTime at={interval.interval_end} toTheMinute />}</span>
      </dt>
      <dd>
        <Time at={interval.interval_end}>
          {formatFundingCountdown(toIntervalProgress(interval, venueNow), isPending)}
        </Time>
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
  // A figure that is withheld because a response is missing may still become available.
  const shown = isLoading ? facts.filter(({ quantity }) => quantity.withheld === null) : facts;
  const reasons = listWithheld(shown, isLoading ? [] : [...toDoubt('Contract size', sizeWithheld), ...doubts]);
  const opensAt = useOpening(named.product);
  return (
    <section className={styles['header']} aria-label={`${named.name} current figures`}>
      <ProductTitle named={named} isSizeWithheld={sizeWithheld !== null} last={findLast(shown)} />
      <PriceTitle
        name={named.name}
        facts={shown}
        isCurrent={opensAt === null && findReason('Last', overdue) === null}
        queries={queries}
      />
      <Figures {...{ named, facts: shown, overdue, interval, opensAt, isLoading, queries }} />
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

interface FiguresProps extends Pick<
  PriceHeaderProps,
  'named' | 'facts' | 'overdue' | 'interval' | 'isLoading' | 'queries'
> {
  /** When the product opens if it is closed, otherwise null. */
  readonly opensAt: number | null;
}

function Figures({ named, facts, overdue, interval, opensAt, isLoading, queries }: FiguresProps) {
  const [figures, setFigures] = useUrlState(PRICE_PARAMS.figures);
  const { product } = named;
  const cells = Map.groupBy(facts, ({ name }) => name);
  const toCell = ([name, label]: readonly [name: string, label: string]) => {
    const inUnits = cells.get(name);
    if (inUnits === undefined) return null;
    const old = findReason(name, overdue) ?? inUnits[0]?.notCurrent ?? null;
    return <FactCell key={name} {...{ subject: String(named.id), name, label, inUnits, old, queries }} />;
  };
  const main = product?.type === 'perpetual' ? 'Funding' : 'Settlement';
  return (
    <div className={styles['facts']} id={FACTS} data-loading={isLoading || undefined} data-figures={figures}>
      <div className={styles['lead']}>
        <dl>{LEAD.map(toCell)}</dl>
        {product !== null && product.product_status !== 'expired' && (
          <TradingState everyDay={product.type === 'perpetual'} opensAt={opensAt} />
        )}
        <MoreButton shown={figures} set={setFigures} controls={FACTS}>
          {figures === 'all' ? 'Fewer figures' : `All ${String(cells.size + (interval === null ? 0 : 1))} figures`}
        </MoreButton>
      </div>
      {GROUPS.map(({ title, rows }) => {
        const filled = rows.filter(([name]) => cells.has(name));
        const hasNext = title === 'Funding' && interval !== null;
        if (filled.length === 0 && !hasNext) return null;
        return (
          <div key={title} className={styles['group']} data-group={title} data-main={title === main}>
            <h3>{title === AT_FUNDING ? <FundingMoment at={cells.get(rows[0]?.[0] ?? '')?.[0]?.at} /> : title}</h3>
            <dl>
              {filled.map(toCell)}
              {hasNext && <NextFunding interval={interval} isPending={isLoading} />}
            </dl>
          </div>
        );
      })}
    </div>
  );
}

const FACTS = 'price-facts';
const AT_FUNDING = 'At the last funding time';

type Row = readonly [name: string, label: string];

const LEAD: readonly Row[] = [
  ['Last', 'Last'],
  [CHANGE_SINCE_SETTLEMENT, 'Since settlement'],
];

/** The figures by subject; those of another time are a group of their own. */
const GROUPS: readonly { readonly title: string; readonly rows: readonly Row[] }[] = [
  {
    title: 'Volume and interest',
    rows: [
      ['24 h volume', '24 h volume'],
      ['Open interest', 'Open interest'],
    ],
  },
  {
    title: 'Settlement',
    rows: [
      ['Settlement', 'Settlement'],
      ['Settlement change', 'Change'],
      ['7 d / 30 d change', '7 d / 30 d'],
    ],
  },
  {
    title: 'Funding',
    rows: [
      ['Predicted rate', 'Predicted rate'],
      ['Last funding', 'Last rate'],
    ],
  },
  {
    title: AT_FUNDING,
    rows: [
      ['Index at last funding', 'Index'],
      ['Mark at last funding', 'Mark'],
      ['Premium at last funding', 'Premium'],
    ],
  },
];

/** `At 08:00 UTC, 5 h 55 min ago`: these prices are not current, and stand apart from those that are. */
function FundingMoment({ at }: { readonly at: Instant | undefined }) {
  const age = useExchangeNow((now) => (at === undefined ? null : formatDuration((now - Date.parse(at)) / 1_000)));
  return (
    at !== undefined && (
      <>
        At <FactTime at={at} toTheMinute />, {age} ago
      </>
    )
  );
}

const NEVER = Infinity;

/** Returns when a closed product opens, by its published times; null while it is open, or if that is unknown. */
function useOpening(product: NamedProduct['product']): number | null {
  return useExchangeNow((now) => {
    // Perpetuals never close.
    const trading = product === null || product.type === 'perpetual' ? null : findTrading(product, now);
    return trading === null || trading.isOpen ? null : (trading.opensAt ?? NEVER);
  });
}

interface TradingStateProps {
  readonly everyDay: boolean;
  readonly opensAt: number | null;
}

/** Shows the session that is open, or when the next one opens. */
function TradingState({ everyDay, opensAt }: TradingStateProps) {
  const session = useExchangeNow((now) => sessionOf(now, { everyDay }));
  if (opensAt === null) return <p>Session of {formatDay(session)}</p>;
  if (opensAt === NEVER) return <p>Closed</p>;
  return (
    <p>
      Closed · opens{' '}
      <Time at={opensAt} of="By the published times of sessions; holidays are not published.">
        {formatOpening(opensAt)} UTC
      </Time>
    </p>
  );
}

function findLast(facts: readonly PriceFact[]): string | null {
  const last = facts.find(({ name }) => name === 'Last')?.quantity;
  return last?.unit === 'USD' && last.withheld === null ? (last.value?.toFixed() ?? null) : null;
}

interface PriceTitleProps extends Pick<PriceHeaderProps, 'facts' | 'queries'> {
  readonly name: string;
  /** Whether the product trades, and its price is not overdue. */
  readonly isCurrent: boolean;
}

/** Names product, last price and change in the window's title. A price that is not current is left out. */
function PriceTitle({ name, facts, isCurrent, queries }: PriceTitleProps) {
  const last = facts.filter((fact) => fact.name === 'Last');
  const change = facts.find((fact) => fact.name === CHANGE_SINCE_SETTLEMENT && fact.quantity.unit === 'fraction');
  const age = useAgeUnlessLive(last, queries);
  const [price] = last;
  const isShown =
    isCurrent && price !== undefined && price.at === undefined && price.quantity.value !== null && age === null;
  const moved = change === undefined || change.quantity.value === null ? '' : ` ${toText(change)} %`;
  useTitleSubject(isShown ? `${name} ${formatQuantity(price.quantity)}${moved}` : `${name} · Price`);
  return null;
}

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

interface FactCellProps {
  /** Identifies the product. */
  readonly subject: string;
  readonly name: string;
  /** The name within the group. */
  readonly label: string;
  readonly inUnits: readonly PriceFact[];
  /** Why the figure is old, or null. */
  readonly old: string | null;
  readonly queries: readonly FactQuery[];
}

/** Shows one figure in its units, such as `+24.40 / +0.46`, each with its own provenance. */
function FactCell({ subject, label, inUnits, old, queries }: FactCellProps) {
  const age = useAgeUnlessLive(inUnits, queries);
  return (
    <div data-old={old === null && age === null ? undefined : true}>
      <dt>
        {label} <span className={styles['faint']}>{nameUnits(inUnits)}</span>
        {inUnits.map((fact, index) => (
          <FactDate key={index} fact={fact} />
        ))}
      </dt>
      <dd>
        {inUnits.map((fact, index) => (
          <Fragment key={index}>
            {index > 0 && ' / '}
            <FactFigure fact={fact} subject={subject} old={old} />
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

function nameUnits(facts: readonly PriceFact[]): string {
  const units = facts.map(({ quantity, inBasisPoints }) => (inBasisPoints === true ? 'bp' : UNIT_NAMES[quantity.unit]));
  return [...new Set(units)].join(' / ');
}

/** The date or time of a figure. Prices at the last funding have it as the title of their group. */
function FactDate({ fact: { remark, at, tradedAt } }: { readonly fact: PriceFact }) {
  const shownAt = remark === undefined && tradedAt === undefined ? undefined : at;
  return (
    <>
      {(remark !== undefined || shownAt !== undefined || tradedAt !== undefined) && ' '}
      <span className={styles['of']}>
        {remark}
        {remark !== undefined && shownAt !== undefined && ' '}
        {shownAt !== undefined && <FactTime at={shownAt} toTheMinute={tradedAt === undefined} />}
        {shownAt !== undefined && ' '}
        {tradedAt !== undefined && <TradeAge at={tradedAt} />}
      </span>
    </>
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
