import type { GridState } from '../grid-state.ts';

export interface StepFilter {
  readonly symbol: string | null;
  /** Whether it is as narrow as the list's; otherwise a change of an order that the list does not show counts too. */
  readonly isWhole: boolean;
}

/** What the journal can filter its changes by: one product. A request that named an account would be in a log. */
export function toStepFilter({ filters, quick }: Pick<GridState, 'filters' | 'quick'>): StepFilter {
  const { product } = filters;
  const others = Object.keys(filters).filter((column) => !['product', 'change', 'edits'].includes(column));
  const symbol = product?.kind === 'is' && product.texts.length === 1 ? (product.texts[0] ?? null) : null;
  return { symbol, isWhole: quick === '' && others.length === 0 && (product === undefined || symbol !== null) };
}
