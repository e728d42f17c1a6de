import { useMemo } from 'react';
import { formatNumber } from '#domain/format/number.ts';
import type { TrackedOrders } from '#domain/orders/tracked-orders.ts';
import type { OrderRow } from '#domain/orders/order-row.ts';
import { GONE_STATUSES } from '#domain/orders/order-status.ts';
import { toOrderTotals, type OrderTotals, type SideTotals } from '#domain/orders/order-totals.ts';
import { countOf, formatCount } from '#domain/format/count.ts';
import type { Source } from '#domain/source.ts';
import type { Decimal } from '#domain/units/decimal.ts';
import type { Fact } from '#ui/fact-list.tsx';
import { Figure } from '#ui/figure.tsx';
import { filterColumn } from '#ui/grid/change-state.ts';
import type { GridFilter, GridState } from '#ui/grid/grid-state.ts';
import { usePreferences } from '#ui/preferences/use-preferences.tsx';
import { formatDuration, formatInAllZones } from '#ui/time/format-time.ts';
import { Time } from '#ui/time/time.tsx';
import { useNow } from '#ui/time/use-now.tsx';
import { NARROW, useMedia } from '#ui/use-media.ts';
import { CompletenessBadge } from './completeness.tsx';
import styles from '../orders.module.css';
import { Reserved } from './reserved.tsx';
import { CHECK_LIMITED } from '../use-order-terms.ts';
import type { HoldReason } from './use-live-orders.ts';
import type { WorkingSnapshot } from './use-working.ts';

interface WorkingFooterProps {
  readonly matching: readonly OrderRow[];
  /** Of these, the selected ones: then the totals are theirs. */
  readonly selected: readonly OrderRow[];
  readonly tracked: TrackedOrders;
  readonly shown: WorkingSnapshot;
  readonly isStale: boolean;
  readonly dueAt: number;
  readonly held: HoldReason;
  readonly pending: number;
  /** The grid’s last message, such as what was copied. */
  readonly gridMessage: string;
  readonly state: GridState;
  readonly set: (state: GridState) => void;
}

export function WorkingFooter({ state, set, matching, selected, tracked: { rows, unread, goneCount }, shown, isStale, dueAt, held, pending, gridMessage }: WorkingFooterProps) {
  const summed = selected.length > 0 ? selected : matching;
  const totals = useMemo(() => toOrderTotals(summed), [summed]);
  return (
    <footer className={styles['footer']}>
      <Reserved widest={toWidestCount(rows.length)}>
        <b>{formatCount(matching.length)}</b> of <b>{formatCount(rows.length)}</b> shown{goneCount > 0 && ', '}
        {goneCount > 0 && <GoneFilter count={goneCount} state={state} set={set} />}
        {unread.length > 0 && `, ${formatCount(unread.length)} unconfirmed`}
        {selected.length > 0 && `, ${formatCount(selected.length)} selected`}
      </Reserved>
      <CompletenessBadge completeness={shown.completeness} isStale={isStale} />
      <AsOf shown={shown} />
      <Reserved widest={toWidestState(shown)}>
        {held === 'paused' && 'updates paused, '}
        {held === 'held' && 'updates held, '}
        {held !== null || pending > 0 ? `${formatCount(pending)} pending` : <NextRead dueAt={dueAt} shown={shown} />}
      </Reserved>
      {shown.isCheckLimited && <span>{CHECK_LIMITED}</span>}
      {gridMessage !== '' && <span>{gridMessage}</span>}
      <Totals totals={totals} ofSelected={selected.length > 0} source={shown.source} />
    </footer>
  );
}

const GONE: GridFilter = { kind: 'is', texts: GONE_STATUSES };

/** The count of orders that are gone is a filter that shows only them. */
function GoneFilter({ count, state, set }: Pick<WorkingFooterProps, 'state' | 'set'> & { readonly count: number }) {
  const { goneOrders } = usePreferences();
  const isOn = JSON.stringify(state.filters['status']) === JSON.stringify(GONE);
  return (
    <button
      type="button"
      className={styles['count']}
      aria-pressed={isOn}
      title={`${isOn ? 'Show all orders.' : 'Show only these.'} They stay in the list ${goneOrders === 'seen' ? 'until they are marked as seen' : `for ${formatDuration(Number(goneOrders))}`}: see Preferences.`}
      onClick={() => {
        set(filterColumn(state, 'status', isOn ? null : GONE));
      }}
    >
      {formatCount(count)} no longer working
    </button>
  );
}

/** On a phone they would take a third of the list’s room. */
function Totals({ totals, ofSelected, source }: { readonly totals: OrderTotals; readonly ofSelected: boolean; readonly source: Source }) {
  const isNarrow = useMedia(NARROW);
  const sums = totals.sides.map((side) => <SideSums key={side.side} totals={side} ofSelected={ofSelected} source={source} />);
  if (!isNarrow || sums.length === 0) return sums;
  return (
    <details className={styles['totals']}>
      <summary>{ofSelected ? 'Totals of selected orders by side' : 'Totals by side'}</summary>
      {sums}
    </details>
  );
}

function AsOf({ shown: { completeness, source } }: { readonly shown: WorkingSnapshot }) {
  const at = completeness.readTo ?? source.answeredAt ?? new Date(source.receivedAt).toISOString();
  return <Time at={at}>as of {at.slice(11)}</Time>;
}

function NextRead({ dueAt, shown }: { readonly dueAt: number; readonly shown: WorkingSnapshot }) {
  const seconds = Math.ceil((dueAt - useNow()) / 1_000);
  if (!Number.isFinite(seconds)) return <>no automatic refresh</>;
  if (shown.completeness.parts.length > 1) return <>{toPartsText(shown)}</>;
  return <>{seconds > 0 ? `next refresh in ${String(seconds)} s` : 'refreshing…'}</>;
}

function toPartsText({ everySeconds }: WorkingSnapshot): string {
  return `read in parts, each refreshed every ${formatDuration(everySeconds)}`;
}

function toWidestCount(count: number): string {
  return `${formatCount(count)} of ${formatCount(count)} shown, 9,999 no longer working`;
}

function toWidestState(shown: WorkingSnapshot): string {
  return shown.completeness.parts.length > 1 ? toPartsText(shown) : 'updates paused, 9,999 pending';
}

const VALUES = [
  ['outright', 'gross notional', 'Futures and perpetuals: working qty × price × contract size. Added up in whole ticks per product, then converted to USD.'],
  ['premium', 'gross option premium', 'Options: working qty × price × contract size.'],
  ['difference', 'gross spread value', 'Spreads: working qty × |price| × contract size, added up without signs, so that a negative price does not offset others.'],
] as const;

const UNDERLYING = 'Working qty × contract size × market price of the product itself, of the underlying of an option, or of the first leg of a spread.';

interface SideSumsProps {
  readonly totals: SideTotals;
  readonly ofSelected: boolean;
  readonly source: Source;
}

function SideSums({ totals, ofSelected, source }: SideSumsProps) {
  const { side, orders, remaining, products, values, underlying, withoutUnderlying, withoutUsd, uncounted } = totals;
  const known = VALUES.filter(([kind]) => values[kind] !== null);
  // Without any, the dash of the first says so.
  const shown = known.length > 0 ? known : VALUES.slice(0, 1);
  const explain = (name: string, how: string) => () => [
    { name, value: how },
    { name: 'Orders', value: formatCount(orders) },
    { name: 'Without USD value', value: `${countOf(withoutUsd, 'order')}: the tick size check failed, or no tick size or contract size is published` },
    { name: 'Without underlying', value: `${countOf(withoutUnderlying, 'order')}: its market price or its contract size is not known, or withheld` },
    { name: 'Excluded', value: `${countOf(uncounted, 'order')}, because a quantity is impossible` },
    { name: 'Endpoint', value: `GET ${source.target}`, code: true },
    { name: 'Received', value: formatInAllZones(source.receivedAt) },
  ];
  return (
    <span className={styles['sums']} data-side={side}>
      Σ {ofSelected && 'selected '}
      {side} <Figure name={`Working qty of ${side} orders`} text={formatNumber(remaining)} provenance={explain('Working qty', 'Contracts that are not filled yet, added up. Contract sizes differ between products.')} /> {remaining?.eq(1) === true ? 'contract' : 'contracts'}
      {products > 1 && ` of ${countOf(products, 'product')}`}
      {shown.map(([kind, name, how]) => (
        <Amount key={kind} name={name} side={side} value={values[kind]} provenance={explain(toTitle(name), how)} />
      ))}
      {underlying !== null && <Amount name="underlying notional" side={side} value={underlying} provenance={explain('Underlying notional', UNDERLYING)} />} USD
      {withoutUsd > 0 && ` (${countOf(withoutUsd, 'order')} without USD value)`}
      {uncounted > 0 && ` (excluding ${countOf(uncounted, 'order')} with an impossible quantity)`}
    </span>
  );
}

interface AmountProps {
  readonly name: string;
  readonly side: string;
  readonly value: Decimal | null;
  readonly provenance: () => readonly Fact[];
}

function toTitle(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

/** A total of one kind. */
function Amount({ name, side, value, provenance }: AmountProps) {
  return (
    <>
      {' '}
      · {name} <Figure name={`${toTitle(name)} of ${side} orders`} text={formatNumber(value, { digits: 2 })} provenance={provenance} />
    </>
  );
}
