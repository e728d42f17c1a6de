import { findNeighbours, type OrderNeighbours } from '#model/orders/order-neighbours.ts';
import {
  toContracts,
  toFilledNotional,
  toNotional,
  toPrice,
  toRemaining,
  toTicks,
  toUnderlyingNotional,
  toValueKind,
} from '#model/orders/order-figures.ts';
import { ABSENT_REASONS, type OrderRow, toAgeSeconds, toProductKind, toRowStatus } from '#model/orders/order-row.ts';
import { formatContracts, formatUsd, NOT_AVAILABLE } from '#model/tables/orders/figure-text.ts';
import styles from '../shared/orders.module.css';
import { useMemo, useRef } from 'react';
import { formatNumber, formatPercent, NO_VALUE } from '#model/format/number.ts';
import { toDistance, toDistanceTicks } from '#model/orders/order-distance.ts';
import { Link } from '#page/kit/navigation.tsx';
import { HistoryLink, toHistoryAddress } from '../shared/order-links.tsx';
import { type Fact, FactList } from '#page/kit/fact-list.tsx';
import { Figure } from '#page/kit/figure.tsx';
import { lazy } from '#page/kit/lazy.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { formatDuration } from '#model/format/format-time.ts';
import { explainCell } from './cell-provenance.ts';

interface NeighboursProps {
  readonly neighbours: OrderNeighbours;
  readonly open: (id: string) => void;
}

const PLACES = [
  ['above', 'Next higher prices'],
  ['below', 'Next lower prices'],
  ['before', 'Previous orders'],
  ['after', 'Following orders'],
] as const;

export function Neighbours({ neighbours, open }: NeighboursProps) {
  return (
    <dl className={styles['neighbours']}>
      {PLACES.map(([place, name]) => (
        <div key={place}>
          <dt>{name}</dt>
          {neighbours[place].length === 0 && <dd>none</dd>}
          {neighbours[place].map((row) => (
            <dd key={row.order.id}>
              <button
                type="button"
                onClick={() => {
                  open(row.order.id);
                }}
              >
                {describe(row)}
              </button>
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

function describe(row: OrderRow): string {
  const { order, terms } = row;
  return (
    `${order.side} ${formatContracts(toContracts(row, 'quantity_requested'))} ${order.symbol} at ` +
    formatUsd(toPrice(row), { digits: terms.digits })
  );
}

interface OrderDetailProps {
  readonly rows: readonly OrderRow[];
  readonly orderId: string;
  readonly open: (id: string) => void;
  /** A sentence that says among which orders neighbours were searched, if not among all. */
  readonly among?: string;
  /** Whether the orders are of an earlier time. */
  readonly isPast?: boolean;
}

const MOST_NEIGHBOURS = 3;

const LifeSection = lazy(async () => (await import('../life/life-section.tsx')).LifeSection);

/** Shows all fields of an order, the provenance of each figure, and its neighbours. */
export function OrderDetail({ rows, orderId, open, among, isPast = false }: OrderDetailProps) {
  const row = useMemo(() => rows.find(({ order }) => order.id === orderId), [rows, orderId]);
  const neighbours = useMemo(() => row && findNeighbours(row, rows, MOST_NEIGHBOURS), [row, rows]);
  const heading = useRef<HTMLHeadingElement>(null);
  if (row === undefined || neighbours === undefined) {
    if (orderId === '') return <p className={styles['quiet']}>Double-click a row, or press Enter, to open an order.</p>;
    return (
      <>
        <p className={styles['quiet']}>Order {orderId} is not among these working orders.</p>
        <HistoryLink text={orderId} rows={rows} />
      </>
    );
  }
  const { order, terms } = row;
  return (
    <>
      <h3 ref={heading} tabIndex={-1}>
        <span className={styles['side']} data-side={order.side}>
          {order.side}
        </span>{' '}
        {formatContracts(toContracts(row, 'quantity_requested'))} {order.symbol} at{' '}
        {formatUsd(toPrice(row), { digits: terms.digits })}
      </h3>
      {row.absent !== undefined && (
        <p>
          <StatusBadge state="attention">{toRowStatus(row).label}</StatusBadge>{' '}
          {order.status === 'Closed'
            ? 'The order is no longer working. The details below are those of order history.'
            : `${ABSENT_REASONS[row.absent]} The details below are the last ones ` +
              `${row.absent === 'left' ? 'of the earlier time' : 'received'}.`}
          {row.absent === 'gone' && (
            <>
              {' '}
              <Link to={toHistoryAddress(order)}>Open in order history</Link>
            </>
          )}
        </p>
      )}
      <FactList facts={[...toFigures(row), ...toWords(row)]} />
      <h3>Nearby orders</h3>
      {among !== undefined && <p className={styles['quiet']}>{among}</p>}
      <Neighbours
        neighbours={neighbours}
        open={(id) => {
          open(id);
          // The pressed button has disappeared, so the focus moves to the heading of the order that replaced it.
          heading.current?.focus();
        }}
      />
      <h3>Source of the price</h3>
      <FactList facts={explainCell(row, 'price')} />
      <LifeSection key={order.id} row={row} isPast={isPast} />
    </>
  );
}

const VALUE_NAMES = {
  outright: { name: 'notional', columnId: 'notional' },
  premium: { name: 'option premium', columnId: 'premium' },
  difference: { name: 'spread value', columnId: 'difference' },
} as const;

function toFigures(row: OrderRow): readonly Fact[] {
  const { digits } = row.terms;
  const kind = toValueKind(row.order);
  const underlying = toUnderlyingNotional(row);
  const left = row.order.status === 'Closed' ? 'Unfilled' : 'Working';
  const fact = (name: string, columnId: string, text: string): Fact => ({
    name,
    value: <Figure name={name} text={text} provenance={() => explainCell(row, columnId)} />,
  });
  return [
    fact('Price (USD)', 'price', formatUsd(toPrice(row), { digits })),
    { name: 'Price (ticks)', value: formatNumber(toTicks(row).value) },
    ...toDistanceFacts(row),
    fact(
      'Filled',
      'filled',
      `${formatContracts(toContracts(row, 'quantity_filled'))} of ` +
        formatContracts(toContracts(row, 'quantity_requested')),
    ),
    fact(`${left} qty`, 'remaining', formatContracts(toRemaining(row))),
    fact(
      `${left} ${VALUE_NAMES[kind].name} (USD)`,
      VALUE_NAMES[kind].columnId,
      formatUsd(toNotional(row), { digits: 2 }),
    ),
    fact(
      `${left} underlying notional (USD)`,
      'underlying',
      underlying === null ? NO_VALUE : formatUsd(underlying, { digits: 2 }),
    ),
    fact('Avg price (USD)', 'avgPrice', formatUsd(toPrice(row, 'avg_price'), { digits })),
    fact('Filled value (USD)', 'filledNotional', formatUsd(toFilledNotional(row), { digits: 2 })),
  ];
}

/** Returns the distance from the market, for a resting order whose product has a market price. */
function toDistanceFacts(row: OrderRow): readonly Fact[] {
  const [share, ticks] = [toDistance(row), toDistanceTicks(row)];
  if (ticks === null) return [];
  const inTicks = ticks.withheld === null ? `${formatNumber(ticks.value)} ticks` : NOT_AVAILABLE;
  const text = share?.withheld === null ? `${formatPercent(share.value)} % (${inTicks})` : inTicks;
  const name = `Distance from ${row.terms.market?.is ?? 'market'}`;
  return [{ name, value: <Figure name={name} text={text} provenance={() => explainCell(row, 'distanceTicks')} /> }];
}

function toAgeText(row: OrderRow): string {
  const seconds = toAgeSeconds(row);
  return seconds === null ? NO_VALUE : formatDuration(seconds);
}

function toWords(row: OrderRow): readonly Fact[] {
  const { order, terms } = row;
  const { label, derived } = toRowStatus(row);
  const kind = toProductKind(row);
  return [
    { name: 'Status', value: derived ? `${label} (derived)` : label },
    { name: 'Read at', value: <Timestamp at={row.asOf} /> },
    { name: order.status === 'Closed' ? 'Lived (to last change)' : 'Age', value: toAgeText(row) },
    { name: 'Accepted', value: <Timestamp at={order.time} /> },
    { name: 'Accepted (exact)', value: order.time, code: true },
    { name: 'Last modified (may lag)', value: order.last_modified ?? NOT_AVAILABLE, code: true },
    { name: 'Time in force', value: order.time_in_force },
    { name: 'Account', value: order.account_id },
    { name: 'Clearing firm', value: order.clearing_firm_code },
    { name: 'Connection', value: order.connection_id, code: true },
    { name: 'Product', value: `${terms.product?.product_name ?? order.symbol} (${String(terms.productId)})` },
    { name: 'Product type', value: kind === order.product_type ? kind : `${kind} (reported as ${order.product_type})` },
    {
      name: 'Contract size',
      value:
        terms.contractSize === null
          ? NO_VALUE
          : `${terms.contractSize.toFixed()} ${terms.product?.contract_size_unit ?? ''}`,
    },
    { name: 'Order ID', value: order.id, code: true },
    { name: 'Ack ID', value: order.open_ack_id, code: true },
  ];
}
