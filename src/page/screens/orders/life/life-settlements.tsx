import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import type { ProductId } from '#contract/exchange/ids.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { formatDay } from '#model/format/day.ts';
import { NO_VALUE } from '#model/format/number.ts';
import { describeProvenance } from '#model/format/provenance.ts';
import { formatQuantity, UNIT_NAMES } from '#model/format/quantity.ts';
import type { LifeContext } from '#model/orders/life-phrases.ts';
import { toLifeSettlements, type LifeSettlement } from '#model/orders/life-settlements.ts';
import type { LifeChange, LifeLine } from '#model/orders/order-life.ts';
import { countPriceDigits } from '#model/price/price-digits.ts';
import { addDays, toDay } from '#model/time/calendar.ts';
import type { Quantity } from '#model/units/quantity.ts';
import { usePanelQuery } from '#page/panels/panel-query.ts';
import { PanelBody } from '#page/panels/panel-body.tsx';
import { Figure } from '#page/kit/controls/figure.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { formatInAllZones } from '#model/format/format-time.ts';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import styles from './life.module.css';

interface LifeSettlementsProps {
  readonly productId: ProductId;
  readonly changes: readonly LifeChange[];
  readonly line: LifeLine;
  readonly context: LifeContext;
}

/** No two sessions with trades are further apart, holidays included. */
const DAYS_BEFORE = 7;

/** Where the market settled meanwhile, and how far the order was from it. */
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

/** Fraction digits of the prices, so that their points are aligned. */
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
