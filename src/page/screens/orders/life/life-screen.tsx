import { describeChange, type LifeContext, nameChange } from '#model/orders/life-phrases.ts';
import type { LifeChange } from '#model/orders/order-life.ts';
import { NO_VALUE } from '#model/format/number.ts';
import { type Column, Table } from '../../../kit/table.tsx';
import { formatDuration } from '#model/format/format-time.ts';
import { Timestamp } from '../../../kit/time/timestamp.tsx';
import { LifePhraseText } from './life-phrase-text.tsx';
import { isOrderId, type OrderId } from '#contract/exchange/ids.ts';
import { createTerms } from '#model/orders/order-terms.ts';
import { toOrderStatus } from '#model/orders/order-status.ts';
import type { Order } from '#contract/exchange/order.ts';
import { ErrorBoundary } from '../../../kit/error-boundary.tsx';
import { FreshnessMark } from '../../../panels/freshness-mark.tsx';
import { PanelBody } from '../../../panels/panel-body.tsx';
import { CsvButtons } from '../../../kit/csv-button.tsx';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { Link } from '../../../kit/navigation/link.tsx';
import { Toolbar } from '../../../kit/toolbar.tsx';
import { toHistoryAddress } from '../shared/history-address.ts';
import { ListLinks } from '../shared/list-links.tsx';
import { MARKET_SECONDS, useOrderTerms } from '../shared/use-order-terms.ts';
import { toLifeCsv } from '#model/tables/orders/life-csv.ts';
import { LifeFacts } from './life-facts.tsx';
import { LifeLine } from './life-line.tsx';
import { LifeSettlements } from './life-settlements.tsx';
import { NoLife } from './no-life.tsx';
import { LIFE_SECONDS, useLife } from './use-life.ts';
import styles from './life.module.css';

interface LifeTableProps {
  /** The oldest first. */
  readonly changes: readonly LifeChange[];
  readonly context: LifeContext;
}

/** The changes of an order in full, the newest first. */
export function LifeTable({ changes, context }: LifeTableProps) {
  const phrase = (name: string) => (change: LifeChange) => {
    const found = describeChange(change, context).find((one) => one.name.startsWith(name));
    return found === undefined ? '' : <LifePhraseText phrase={found} />;
  };
  const columns: readonly Column<LifeChange>[] = [
    { name: 'Change', pinned: 'start', cell: (change) => nameChange(change) ?? 'Changed' },
    { name: 'Not before', cell: ({ readAfter }) => <Timestamp at={readAfter} /> },
    { name: 'Not after', cell: ({ readBy }) => <Timestamp at={readBy} /> },
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

/** The life of one order, at an address of its own. */
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

/** Prices stay in ticks until the products are read, and where they cannot be read. */
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
          {last === undefined ? <h2>Order {id}</h2> : <Heading order={last.order} />}
          <PanelBody query={query} emptyState={({ value }) => (changes.length === 0 ? <NoLife {...value} /> : null)}>
            {(data) => {
              const context = last && { terms: termsOf(last.order), source: data };
              return (
                <>
                  {line !== null && (
                    <LifeLine line={line} changes={changes} gaps={gaps ?? []} side={last?.order.side ?? ''} isLarge />
                  )}
                  <LifeFacts {...life} />
                  {last !== undefined && context !== undefined && (
                    <>
                      <LifeTable changes={changes} context={context} />
                      <p className={styles['actions']}>
                        <CsvButtons fileName={`order-${id}`} write={(form) => toLifeCsv(form, changes, context)} />
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

/** Which order it is, what it was last, and where else it is shown. */
function Heading({ order }: { readonly order: Order }) {
  return (
    <div className={styles['title']}>
      <h2>
        {order.side} {order.symbol}, order {order.id}
      </h2>
      <span>{toOrderStatus(order).label}</span>
      <span>Account {order.account_id}</span>
      <span className={styles['links']}>
        <Link to={`/price/${encodeURIComponent(order.symbol)}`}>Price of {order.symbol}</Link>
        <Link to={`/orders?beside=order&order=${order.id}`}>In working orders</Link>
        <Link to={toHistoryAddress(order)}>In order history</Link>
      </span>
    </div>
  );
}
