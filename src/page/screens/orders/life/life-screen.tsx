import { isOrderId, type OrderId } from '#contract/exchange/ids.ts';
import { createTerms } from '#model/orders/order-terms.ts';
import { toOrderStatus } from '#model/orders/order-status.ts';
import type { Order } from '#contract/exchange/order.ts';
import { ErrorBoundary } from '#page/kit/error-boundary.tsx';
import { FreshnessMark } from '#page/panels/freshness-mark.tsx';
import { PanelBody } from '#page/panels/panel-body.tsx';
import { CsvButtons } from '#page/kit/csv-button.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Link } from '#page/kit/navigation/link.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { toHistoryAddress } from '../shared/history-address.ts';
import { ListLinks } from '../shared/list-links.tsx';
import { MARKET_SECONDS, useOrderTerms } from '../shared/use-order-terms.ts';
import { toLifeCsv } from '#model/tables/orders/life-csv.ts';
import { LifeFacts } from './life-facts.tsx';
import { LifeLine } from './life-line.tsx';
import { LifeSettlements } from './life-settlements.tsx';
import { LifeTable } from './life-table.tsx';
import { NoLife } from './no-life.tsx';
import { LIFE_SECONDS, useLife } from './use-life.ts';
import styles from './life.module.css';

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
