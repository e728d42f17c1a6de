import type { OrderNeighbours } from '#model/orders/order-neighbours.ts';
import { toContracts, toPrice } from '#model/orders/order-figures.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { formatContracts, formatUsd } from '#model/tables/orders/figure-text.ts';
import styles from '../shared/orders.module.css';

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
  return `${order.side} ${formatContracts(toContracts(row, 'quantity_requested'))} ${order.symbol} at ${formatUsd(toPrice(row), { digits: terms.digits })}`;
}
