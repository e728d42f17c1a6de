import { sumOf, type Decimal } from '../units/decimal.ts';
import type { MarketRow } from './market-rows.ts';

/** What a value in USD stands for. Of different kinds, they are never added up: a premium or a price difference is a small part of what it is on. */
const VALUE_KINDS = ['notional', 'option premium', 'spread difference'] as const;

type ValueKind = (typeof VALUE_KINDS)[number];

function toValueKind({ type }: { readonly type?: string }): ValueKind {
  return VALUE_KINDS[['option', 'spread'].indexOf(type ?? '') + 1] ?? 'notional';
}

export interface MarketTotal {
  readonly kind: ValueKind;
  readonly value: Decimal | null;
  /** Of how many products. */
  readonly known: number;
  readonly products: number;
}

/** Totals in USD, since contracts of different products cannot be added; one for each kind of value among the rows. */
export function toMarketTotals(
  rows: readonly MarketRow[],
  name: 'volumeUsd' | 'openInterestUsd',
): readonly MarketTotal[] {
  const byKind = Map.groupBy(rows, ({ product }) => toValueKind(product));
  return VALUE_KINDS.flatMap((kind) => {
    const values = byKind.get(kind)?.map((row) => row[name]?.value ?? null) ?? [];
    return values.length === 0
      ? []
      : [
          {
            kind,
            value: sumOf(values),
            known: values.filter((value) => value !== null).length,
            products: values.length,
          },
        ];
  });
}
