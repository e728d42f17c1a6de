import type { ColumnLayout } from '#ui/grid/layout-store.ts';
import type { MarketColumnId } from '../market-params.ts';
import type { MarketColumn } from './figure-cells.ts';

type Ids = readonly MarketColumnId[];

const FUNDING: Ids = ['funding', 'estimate', 'apr', 'boundary'];

/** By type: the columns in which all products of it have a dash. A spread may be at or below zero, so percentages of it mean nothing. */
const EMPTY: Readonly<Record<string, Ids>> = { perpetual: ['daysLeft'], future: FUNDING, spread: [...FUNDING, 'changePercent', 'trend'], option: FUNDING };

/** By type: the columns that only its products fill. */
const OWN: Readonly<Record<string, Ids>> = { spread: ['legs'], option: ['right', 'strike'] };

/** Room for both legs. */
const SPREAD_SYMBOL = 196;

/** The columns as one type of product has them by default. */
export function toTyped(columns: readonly MarketColumn[], type: string): readonly MarketColumn[] {
  const isIn = (ids: Ids | undefined, id: MarketColumnId): boolean => ids?.includes(id) === true;
  return columns.map((column) => ({
    ...column,
    ...(isIn(EMPTY[type], column.id) && { hidden: true }),
    ...(isIn(OWN[type], column.id) && { hidden: false }),
    ...(type === 'spread' && column.id === 'symbol' && { width: SPREAD_SYMBOL }),
  }));
}

/** The layout chosen for all products, for one type of them. */
export function toTypedLayout({ hidden, ...layout }: ColumnLayout, type: string): ColumnLayout {
  return hidden === undefined ? layout : { ...layout, hidden: [...new Set([...hidden, ...(EMPTY[type] ?? [])])].filter((id) => OWN[type]?.some((own) => own === id) !== true) };
}
