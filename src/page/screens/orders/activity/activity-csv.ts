import type { ApiResponse } from '#model/response.ts';
import type { DeskJournalActivity } from '#contract/desk/journal.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { type Cell, type CsvForm, SOURCE_HEADING, toCsvInForm, toSourceCells } from '#model/format/csv.ts';
import { isRatioWithheld, toOrderToTrade, toShareFilled } from '#model/orders/journal-figures.ts';
import type { ActivityScope } from './activity-scope.ts';
import type { ListedChange } from './use-changes.ts';

const COUNTS = [
  'found',
  'placed',
  'passed',
  'changed',
  'modified',
  'gone',
  'ended_filled',
  'ended_partly_filled',
  'ended_unfilled',
  'outcome_unknown',
  'fills',
  'quantity_placed',
  'quantity_filled',
  'quantity_filled_before',
  'quantity_ended',
  'quantity_ended_filled',
  'unmeasured',
  'lives',
  'returned',
] as const;
const COVERAGE = ['from', 'to', 'readings', 'longest_s', 'unread_s', 'gaps', 'history_to', 'filters'];

const COUNTS_COLUMNS = {
  heading: [
    'account_id',
    'product_id',
    'symbol',
    ...COUNTS,
    'share_filled',
    'median_life_s_within_5_percent',
    'order_to_trade',
    ...COVERAGE,
    ...SOURCE_HEADING,
  ],
  provenance: [...SOURCE_HEADING],
};

/**
 * Formats the counts, one line per account or product. Each line states the period and how much of it was read,
 * because a file outlives the screen.
 */
export function toCountsCsv(form: CsvForm, response: ApiResponse<DeskJournalActivity>, scope: ActivityScope): string {
  const { value } = response;
  const ends = [...toCoverage(value, scope), ...toSourceCells(response)];
  const lines = value.groups.map((group): readonly Cell[] => [
    group.account_id === null ? null : { opaqueId: group.account_id },
    group.product_id === null ? null : { digits: String(group.product_id) },
    group.symbol,
    ...COUNTS.map((name) => Number(group[name])),
    toShareFilled(group),
    group.median_life_seconds,
    isRatioWithheld(value) ? 'withheld' : toOrderToTrade(group),
    ...ends,
  ]);
  return toCsvInForm(form, COUNTS_COLUMNS, lines);
}

const CHANGES_COLUMNS = {
  heading: [
    'order_id',
    'change',
    'read_after',
    'read_by',
    'fields',
    'symbol',
    'product_id',
    'account_id',
    'side',
    'price_ticks',
    'price_ticks_before',
    'quantity_filled',
    'quantity_filled_before',
    'quantity_requested',
    'clearing_firm_code',
    'connection_id',
    'set',
    ...COVERAGE,
    ...SOURCE_HEADING,
  ],
  provenance: ['fields', ...SOURCE_HEADING],
};

/** Formats the loaded changes, one line each. `set` says whether these are all changes. */
export function toChangesCsv(
  form: CsvForm,
  changes: readonly ListedChange[],
  {
    activity,
    scope,
    set,
  }: { readonly activity: DeskJournalActivity; readonly scope: ActivityScope; readonly set: string },
): string {
  const coverage = toCoverage(activity, scope);
  const lines = changes.map(
    ({
      change: { kind, order_id: id, read_after: after, read_by: by, fields, before, order },
      source,
    }): readonly Cell[] => [
      ...[
        { opaqueId: id },
        kind,
        after,
        by,
        fields.join(' '),
        order.symbol,
        { digits: String(order.product_id) },
        { opaqueId: order.account_id },
        order.side,
      ],
      ...[digits(wireText(order, 'price')), digits(before && wireText(before, 'price'))],
      ...[
        digits(wireText(order, 'quantity_filled')),
        digits(before && wireText(before, 'quantity_filled')),
        digits(wireText(order, 'quantity_requested')),
      ],
      ...[order.clearing_firm_code, { opaqueId: order.connection_id }, set],
      ...coverage,
      ...toSourceCells(source),
    ],
  );
  return toCsvInForm(form, CHANGES_COLUMNS, lines);
}

function toCoverage(
  {
    from,
    to,
    readings,
    longest_seconds: longest,
    unread_seconds: unread,
    gaps,
    history_to: history,
  }: DeskJournalActivity,
  scope: ActivityScope,
): readonly Cell[] {
  const spans = gaps.map((gap) => `${gap.from} to ${gap.to}`).join('; ');
  return [
    from,
    to,
    readings,
    longest,
    unread,
    spans,
    history,
    Object.entries(scope)
      .map(([name, value]) => `${name}=${value}`)
      .join('; '),
  ];
}

function digits(text: string | null): Cell {
  return text === null ? null : { digits: text };
}
