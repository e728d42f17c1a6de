import { formatOpening } from '../../products/trading.ts';
import { NO_VALUE } from '../../format/number.ts';
import type { LaterFigureName } from '../../markets/price-change-names.ts';
import { figureCells, type FigureOptions, formatPrice, type MarketColumn } from './figure-cells.ts';

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

/**
 * Columns of what is closed, of the changes against earlier prices, of a month against its perpetual, and of open
 * interest. `alignedDigits`: the number of decimals that prices are padded to.
 */
export function createChangeColumns({ closed }: ShownByDefault, alignedDigits: number): readonly MarketColumn[] {
  const figure = (id: LaterFigureName, title: string, options: Omit<FigureOptions, 'read'>): MarketColumn => {
    const cells = figureCells({ read: ({ changes }) => changes[id]?.quantity ?? null, ...options });
    return {
      id,
      title,
      unit: '%',
      // Wide enough for a change of three digits before the point.
      width: 80,
      hidden: true,
      ...cells,
      text: (row) => ((row.changes[id] ?? null) === null ? '…' : cells.text(row)),
    };
  };
  const change = (id: LaterFigureName, title: string): MarketColumn => figure(id, title, { directed: true });
  return [
    createTradingColumn({ closed }),
    { ...change('settlementChange', 'Settle to settle'), width: 96, hidden: !closed },
    change('change24h', '24 h'),
    change('change7d', '7 d'),
    change('change30d', '30 d'),
    {
      ...figure('basisUsd', 'Basis', { write: (row, quantity) => formatPrice(row, quantity, alignedDigits, true) }),
      unit: 'USD',
      width: 110,
    },
    figure('basis', 'Basis', {}),
    { ...figure('basisYear', 'Basis', {}), unit: '% a year', width: 80 },
    { ...figure('interestChange', 'OI 1 d', { format: { signed: true } }), unit: 'contracts', width: 82 },
    { ...figure('turnover', 'Volume ÷ OI', { format: { digits: 1, signed: false } }), width: 104 },
  ];
}
