import type { ApiResponse } from '#model/response.ts';
import type { DeskJournalActivity } from '#contract/desk/journal.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { type Cell, type CsvForm, SOURCE_HEADING, toCsvInForm, toFileTime, toSourceCells } from '#model/format/csv.ts';
import { isRatioWithheld, toOrderToTrade, toShareFilled } from '#model/orders/journal-figures.ts';
import type { ActivityScope } from './activity-scope.ts';
import type { ListedChange } from './use-changes.ts';

/** Each count of the response with its column. */
const COUNTS = [
  ['found', 'already_working'],
  ['placed', 'placed'],
  ['passed', 'from_order_history'],
  ['changed', 'changed'],
  ['modified', 'modified'],
  ['gone', 'gone'],
  ['ended_filled', 'ended_filled'],
  ['ended_partly_filled', 'ended_partly_filled'],
  ['ended_unfilled', 'ended_unfilled'],
  ['outcome_unknown', 'not_known_yet'],
  ['fills', 'fills'],
  ['quantity_placed', 'placed_quantity_contracts'],
  ['quantity_filled', 'filled_quantity_contracts'],
  ['quantity_filled_before', 'filled_before_quantity_contracts'],
  ['quantity_ended', 'ended_quantity_contracts'],
  ['quantity_ended_filled', 'ended_filled_quantity_contracts'],
  ['unmeasured', 'unmeasured'],
  ['lives', 'lives'],
  ['returned', 'listed_again'],
] as const;
const COVERAGE = [
  'period_from',
  'period_to',
  'readings',
  'longest_pause_s',
  'unread_s',
  'gaps',
  'order_history_to',
  'filters',
] as const;

const COUNTS_COLUMNS = {
  heading: [
    'account_id',
    'product_id',
    'symbol',
    ...COUNTS.map(([, column]) => column),
    'share_filled_fraction',
    'median_life_s_within_5_percent',
    'order_to_trade_ratio',
    ...COVERAGE,
    ...SOURCE_HEADING,
  ],
  provenance: SOURCE_HEADING,
} as const;

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
    ...COUNTS.map(([field]) => Number(group[field])),
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
    'changed_fields',
    'symbol',
    'product_id',
    'account_id',
    'side',
    'price_ticks',
    'price_ticks_before',
    'filled_quantity_contracts',
    'filled_quantity_contracts_before',
    'order_quantity_contracts',
    'clearing_firm_code',
    'connection_id',
    'set',
    ...COVERAGE,
    ...SOURCE_HEADING,
  ],
  provenance: ['changed_fields', ...SOURCE_HEADING],
} as const;

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
  const spans = gaps.map((gap) => `${toFileTime(gap.from)} to ${toFileTime(gap.to)}`).join('; ');
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
