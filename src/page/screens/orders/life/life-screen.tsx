import { ClockNote } from '#page/panels/clock-note.tsx';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import { isOrderId, type OrderId, type ProductId } from '#contract/exchange/ids.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { formatDay, formatDuration, formatInAllZones } from '#model/format/format-time.ts';
import { countPriceDigits, formatQuantity, NO_VALUE, UNIT_NAMES } from '#model/format/number.ts';
import { describeProvenance } from '#model/format/provenance.ts';
import {
  describeChange,
  type LifeChange,
  type LifeContext,
  type LifeLine as Line,
  nameChange,
} from '#model/orders/order-life.ts';
import { type LifeSettlement, toLifeSettlements } from '#model/orders/life-settlements.ts';
import { addDays, toDay } from '#model/time/session.ts';
import type { Quantity } from '#model/units/quantity.ts';
import { PanelBody, usePanelQuery } from '#page/panels/panel-body.tsx';
import { Figure } from '#page/kit/figure.tsx';
import { type Column, Table } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import styles from './life.module.css';
import { LifeFacts, LifeLine, LifePhraseText, NoLife } from './life-view.tsx';
import { createTerms } from '#model/orders/order-terms.ts';
import { toOrderStatus } from '#model/orders/order-row.ts';
import type { Order } from '#contract/exchange/order.ts';
import { ErrorBoundary } from '#page/kit/error-boundary.tsx';
import { FreshnessMark } from '#page/panels/freshness-mark.tsx';
import { ExportMenu } from '#page/kit/export-menu.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Link } from '#page/kit/navigation.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { ListLinks, toHistoryAddress } from '../shared/order-links.tsx';
import { MARKET_SECONDS, useOrderTerms } from '../shared/use-order-terms.ts';
import { toLifeCsv } from '#model/tables/orders/life-csv.ts';
import { LIFE_SECONDS, useLife } from './use-life.ts';

interface LifeSettlementsProps {
  readonly productId: ProductId;
  readonly changes: readonly LifeChange[];
  readonly line: Line;
  readonly context: LifeContext;
}

/** No two sessions with trades are further apart, even across holidays. */
const DAYS_BEFORE = 7;

/** Shows the settlement prices during the order's life, and the order's distance from them. */
export function LifeSettlements({ productId, changes, line, context }: LifeSettlementsProps) {
  const { queries } = useApi();
  const id = useId();
  const begin_time = `${addDays(toDay(line.start), -DAYS_BEFORE)}T00:00:00Z` as Instant;
  const query = usePanelQuery(useQuery(queries.venue.chartPrice({ id: productId, begin_time })));
  return (
    <section className={styles['settlements']} aria-labelledby={id}>
      <h3 id={id}>Settlements during its life</h3>
      <PanelBody query={query}>
        {(prices) => <SettlementTable settlements={toLifeSettlements(prices, changes, line, context)} />}
      </PanelBody>
    </section>
  );
}

function SettlementTable({ settlements }: { readonly settlements: readonly LifeSettlement[] }) {
  const { away } = settlements[0] ?? {};
  if (away === undefined)
    return <p className={styles['note']}>The product did not settle before or during the order’s life.</p>;
  const columns: readonly Column<LifeSettlement>[] = [
    { name: 'Session', pinned: 'start', cell: ({ date }) => formatDay(date) },
    { name: 'Settled', cell: ({ settledAt }) => <Timestamp at={settledAt} /> },
    {
      name: 'Settlement',
      unit: 'USD',
      numeric: true,
      cell: ({ settlement }) => <LifeFigure name="Settlement" quantity={settlement} digits={digitsOf(settlements)} />,
    },
    {
      name: 'Limit price',
      numeric: true,
      cell: ({ limit }) => (
        <LifeFigure
          name="Limit price"
          quantity={limit}
          digits={limit.unit === 'USD' ? digitsOf(settlements) : 0}
          hasUnit
        />
      ),
    },
    {
      name: 'Distance',
      numeric: true,
      cell: ({ away: distance }) =>
        distance === null ? (
          NO_VALUE
        ) : (
          <LifeFigure
            name="Distance"
            quantity={distance}
            digits={distance.unit === 'USD' ? digitsOf(settlements) : 2}
            isSigned
            hasUnit
          />
        ),
    },
  ];
  return (
    <Table
      caption="Settlements of the product, newest first"
      columns={columns}
      rows={settlements}
      keyOf={({ date }) => date}
    />
  );
}

/** Returns a common number of fraction digits, so that the decimal points align. */
function digitsOf(settlements: readonly LifeSettlement[]): number {
  return countPriceDigits(
    settlements
      .flatMap(({ settlement, limit }) => [settlement, ...(limit.unit === 'USD' ? [limit] : [])])
      .map(({ value }) => value?.toFixed() ?? null),
  );
}

interface LifeFigureProps {
  readonly name: string;
  readonly quantity: Quantity;
  readonly digits: number;
  readonly isSigned?: boolean;
  readonly hasUnit?: boolean;
}

function LifeFigure({ name, quantity, digits, isSigned = false, hasUnit = false }: LifeFigureProps) {
  const number = quantity.withheld === null ? formatQuantity(quantity, { digits, signed: isSigned }) : 'n/a';
  const text = hasUnit && number !== NO_VALUE && number !== 'n/a' ? `${number} ${UNIT_NAMES[quantity.unit]}` : number;
  return <Figure name={name} text={text} provenance={() => describeProvenance(quantity, formatInAllZones)} />;
}

interface LifeTableProps {
  /** Oldest first. */
  readonly changes: readonly LifeChange[];
  readonly context: LifeContext;
}

/** Lists all details of an order's changes, newest first. */
export function LifeTable({ changes, context }: LifeTableProps) {
  const phrase = (name: string) => (change: LifeChange) => {
    const found = describeChange(change, context).find((one) => one.name.startsWith(name));
    return found === undefined ? '' : <LifePhraseText phrase={found} />;
  };
  const columns: readonly Column<LifeChange>[] = [
    { name: 'Change', pinned: 'start', cell: (change) => nameChange(change) ?? 'Changed' },
    { name: 'Not yet at', cell: ({ readAfter }) => <Timestamp at={readAfter} /> },
    { name: 'Seen at', cell: ({ readBy }) => <Timestamp at={readBy} /> },
    {
      name: 'Since the last change',
      numeric: true,
      cell: ({ sinceMs }) => (sinceMs === null ? NO_VALUE : formatDuration(sinceMs / 1_000)),
    },
    { name: 'Filled', unit: 'contracts', numeric: true, cell: phrase('Filled') },
    { name: 'Price', numeric: true, cell: phrase('Price') },
    { name: 'Avg price', numeric: true, cell: phrase('Avg price') },
    {
      name: 'Other fields',
      cell: (change) =>
        describeChange(change, context)
          .filter(({ name }) => !/^(Filled|Price|Avg price)/.test(name))
          .map(({ name, text }) => `${name} ${text}`)
          .join(', '),
    },
  ];
  return (
    <Table
      caption="Changes of the order, newest first"
      columns={columns}
      rows={changes.toReversed()}
      keyOf={({ kind, readBy }) => `${kind} ${readBy}`}
    />
  );
}

/** Shows the life of one order at its own address. */
export function LifeScreen({
  parameters: { order_id: id = '' },
}: {
  readonly parameters: Readonly<Record<string, string>>;
}) {
  if (isOrderId(id)) return <Life key={id} id={id} />;
  return (
    <EmptyState title="Not an order ID" level={1}>
      <p>An order ID is a whole number of up to 39 digits.</p>
    </EmptyState>
  );
}

/** Shows prices in ticks until the products have been read, and if reading them fails. */
const IN_TICKS = createTerms([], () => null);

function Life({ id }: { readonly id: OrderId }) {
  const life = useLife(id);
  const { query, changes, line, gaps } = life;
  const termsOf = useOrderTerms(changes.length > 0, MARKET_SECONDS).termsOf ?? IN_TICKS;
  const last = changes.at(-1);
  return (
    <>
      <Toolbar
        title="Life of an order"
        aside={
          query.data !== undefined && (
            <FreshnessMark
              query={{ ...query, data: query.data }}
              everySeconds={LIFE_SECONDS}
              besides={[life.journal]}
            />
          )
        }
      >
        <ListLinks />
      </Toolbar>
      <div className={styles['page']} aria-busy={query.data === undefined && query.isFetching}>
        <ErrorBoundary level={3} of={query.data}>
          {last === undefined ? (
            <h2>Order {id}</h2>
          ) : (
            <Heading order={last.order} isWorking={!CLOSING.includes(last.kind)} />
          )}
          <PanelBody query={query} emptyState={({ value }) => (changes.length === 0 ? <NoLife {...value} /> : null)}>
            {(data) => {
              const context = last && { terms: termsOf(last.order), source: data };
              return (
                <>
                  {line !== null && (
                    <LifeLine line={line} changes={changes} gaps={gaps ?? []} side={last?.order.side ?? ''} isLarge />
                  )}
                  <ClockNote />
                  <LifeFacts {...life} />
                  {last !== undefined && context !== undefined && (
                    <>
                      <LifeTable changes={changes} context={context} />
                      <p className={styles['actions']}>
                        <ExportMenu fileName={`order-${id}`} write={(form) => toLifeCsv(form, changes, context)} />
                      </p>
                      {line !== null && (
                        <LifeSettlements
                          productId={last.order.product_id}
                          changes={changes}
                          line={line}
                          context={context}
                        />
                      )}
                    </>
                  )}
                </>
              );
            }}
          </PanelBody>
        </ErrorBoundary>
      </div>
    </>
  );
}

/** After these changes, an order is not working. */
const CLOSING: readonly LifeChange['kind'][] = ['gone', 'ended', 'passed'];

/** Identifies the order, with its last status and links to where else it is shown. */
function Heading({ order, isWorking }: { readonly order: Order; readonly isWorking: boolean }) {
  return (
    <div className={styles['title']}>
      <h2>
        {order.side} {order.symbol}, order {order.id}
      </h2>
      <span>{toOrderStatus(order).label}</span>
      <dl className={styles['terms']}>
        <dt>Account</dt>
        <dd>{order.account_id}</dd>
        <dt>Clearing firm</dt>
        <dd>{order.clearing_firm_code}</dd>
        <dt>Connection</dt>
        <dd>{order.connection_id}</dd>
        <dt>Time in force</dt>
        <dd>{order.time_in_force}</dd>
        <dt>Accepted</dt>
        <dd>
          <code>{order.time}</code>
        </dd>
        <dt>Last modified</dt>
        <dd>
          <code>{order.last_modified ?? NO_VALUE}</code>
        </dd>
      </dl>
      <span className={styles['links']}>
        <Link to={`/price/${encodeURIComponent(order.symbol)}`}>Price of {order.symbol}</Link>
        {isWorking && <Link to={`/orders?beside=order&order=${order.id}`}>In working orders</Link>}
        <Link to={toHistoryAddress(order)}>In order history</Link>
      </span>
    </div>
  );
}
