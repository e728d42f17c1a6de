import { formatOpening } from '../../products/trading.ts';
import { NO_VALUE } from '../../format/number.ts';
import type { PriceChangeName } from '../../markets/price-change-names.ts';
import { figureCells, type MarketColumn } from './figure-cells.ts';

interface ShownByDefault {
  /** Whether some products are closed, so that they have no change since their settlement. */
  readonly closed: boolean;
}

/** Whether each product trades now, and the time at which a closed one opens. */
function createTradingColumn({ closed }: ShownByDefault): MarketColumn {
  return {
    id: 'trading',
    title: 'Trading',
    unit: 'opens, UTC',
    kind: 'number',
    smallestFirst: true,
    width: 144,
    hidden: !closed,
    text: ({ trading }) => {
      if (trading === null) return NO_VALUE;
      if (trading.isOpen) return 'Open';
      return trading.opensAt === null ? 'Closed' : `Closed · ${formatOpening(trading.opensAt)}`;
    },
    // Open products come first, then those that open soonest.
    value: ({ trading }) => trading && (trading.isOpen ? 0 : (trading.opensAt ?? Infinity)),
    tone: () => 'quiet',
  };
}

/** Columns of what is closed, and of the changes against earlier prices. */
export function createChangeColumns({ closed }: ShownByDefault): readonly MarketColumn[] {
  const change = (id: PriceChangeName, title: string): MarketColumn => {
    const cells = figureCells({ read: ({ changes }) => changes[id]?.quantity ?? null, directed: true });
    return {
      id,
      title,
      unit: '%',
      width: 66,
      hidden: true,
      ...cells,
      text: (row) => (row.changes[id] === null ? '…' : cells.text(row)),
    };
  };
  return [
    createTradingColumn({ closed }),
    { ...change('settlementChange', 'Settle to settle'), width: 96, hidden: !closed },
    change('change24h', '24 h'),
    change('change7d', '7 d'),
    change('change30d', '30 d'),
  ];
}
