import { type Cell, type CsvForm, SOURCE_HEADING, toCsvInForm, toSourceCells } from '../../format/csv.ts';
import { toPrice } from '../../orders/order-figures.ts';
import type { LifeChange, LifeContext } from '../../orders/order-life.ts';
import { wireText } from '#contract/exchange/row-notes.ts';

const COLUMNS = {
  heading: [
    'order_id',
    'change',
    'read_after',
    'read_by',
    'since_previous_s',
    'changed_fields',
    'price_ticks',
    'price_usd',
    'avg_price_ticks',
    'filled_quantity_contracts',
    'order_quantity_contracts',
    'status',
    'last_modified_at',
    ...SOURCE_HEADING,
  ],
  provenance: ['changed_fields', 'last_modified_at', ...SOURCE_HEADING],
} as const;

/** Writes one line for each change, newest first, with the order as it was from then on. */
export function toLifeCsv(form: CsvForm, changes: readonly LifeChange[], { terms, source }: LifeContext): string {
  const lines = changes.toReversed().map(({ kind, readAfter, readBy, sinceMs, fields, order }): readonly Cell[] => {
    const usd = toPrice({ order, terms, source, asOf: Date.parse(readBy) });
    return [
      { opaqueId: order.id },
      ...[kind, readAfter, readBy, sinceMs === null ? null : sinceMs / 1_000, fields.join(' ')],
      toDigits(wireText(order, 'price')),
      toDigits(usd.unit === 'USD' && usd.withheld === null ? (usd.value?.toFixed() ?? null) : null),
      ...(['avg_price', 'quantity_filled', 'quantity_requested'] as const).map((field) =>
        toDigits(wireText(order, field)),
      ),
      ...[order.status, order.last_modified],
      ...toSourceCells(source),
    ];
  });
  return toCsvInForm(form, COLUMNS, lines);
}

function toDigits(text: string | null): Cell {
  return text === null ? null : { digits: text };
}
