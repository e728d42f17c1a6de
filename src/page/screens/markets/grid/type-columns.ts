import type { ColumnLayout } from '#page/kit/grid/layout-store.ts';
import type { MarketColumn } from '#model/tables/markets/figure-cells.ts';

const FUNDING = ['funding', 'estimate', 'apr', 'boundary'];

/** By type: the columns in which all products of it have a dash. A spread may be at or below zero, so percentages of it mean nothing. */
const EMPTY: Readonly<Record<string, readonly string[]>> = {
  perpetual: ['daysLeft'],
  future: FUNDING,
  spread: [...FUNDING, 'changePercent', 'trend'],
  option: FUNDING,
};

/** By type: the columns that only its products fill. */
const OWN: Readonly<Record<string, readonly string[]>> = { spread: ['legs'], option: ['right', 'strike'] };

/** Room for both legs. */
const SPREAD_SYMBOL = 196;

function isHidden(id: string, type: string, isHiddenOtherwise: boolean): boolean {
  return EMPTY[type]?.includes(id) === true || (isHiddenOtherwise && OWN[type]?.includes(id) !== true);
}

/** The columns as one type of product has them by default. */
export function toTyped(columns: readonly MarketColumn[], type: string): readonly MarketColumn[] {
  return columns.map((column) => ({
    ...column,
    hidden: isHidden(column.id, type, column.hidden === true),
    ...(type === 'spread' && column.id === 'symbol' && { width: SPREAD_SYMBOL }),
  }));
}

/** The layout chosen for all products, for one type of them. */
export function toTypedLayout(layout: ColumnLayout, type: string): ColumnLayout {
  const { hidden, order } = layout;
  return hidden === undefined
    ? layout
    : { ...layout, hidden: (order ?? []).filter((id) => isHidden(id, type, hidden.includes(id))) };
}
