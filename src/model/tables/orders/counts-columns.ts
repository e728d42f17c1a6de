import type { ActivityCounts, ActivityGroup } from '#contract/desk/journal.ts';
import { countOf, formatCount } from '../../format/count.ts';
import { formatDuration } from '../../format/format-time.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { compareCodes } from '../../compare-codes.ts';
import { NO_VALUE } from '../../format/number.ts';
import { toOrderToTrade, toShareFilled } from '../../orders/journal-figures.ts';
import type { GridColumn } from '../grid.ts';
import { NOT_AVAILABLE } from './figure-text.ts';

type Column = GridColumn<ActivityGroup>;

/** The fields of the response behind each column, for its provenance. */
export const FIELDS: Readonly<Record<string, readonly (keyof ActivityGroup)[]>> = {
  account: ['account_id'],
  product: ['symbol', 'product_id'],
  placed: ['placed'],
  passed: ['passed'],
  changed: ['changed'],
  modified: ['modified'],
  gone: ['gone'],
  filled: ['ended_filled'],
  partly: ['ended_partly_filled'],
  unfilled: ['ended_unfilled'],
  unknown: ['outcome_unknown'],
  fills: ['fills'],
  placedQty: ['quantity_placed'],
  filledQty: ['quantity_filled'],
  filledBefore: ['quantity_filled_before'],
  share: ['quantity_ended_filled', 'quantity_ended'],
  life: ['median_life_seconds', 'lives'],
  ratio: ['placed', 'modified', 'ended_partly_filled', 'ended_unfilled', 'fills'],
  found: ['found'],
  unmeasured: ['unmeasured'],
  returned: ['returned'],
};

/** Creates the columns. `isRatioWithheld` means that some of the time was not read. */
export function createCountsColumns({
  grouping,
  isRatioWithheld,
  hasReturned,
}: {
  readonly grouping: 'account' | 'product' | 'both';
  readonly isRatioWithheld: boolean;
  readonly hasReturned: boolean;
}): readonly Column[] {
  const keys: readonly Column[] = [
    ...(grouping === 'product' ? [] : [textColumn('account', 'Account', 112, ({ account_id: code }) => code)]),
    ...(grouping === 'account'
      ? []
      : [
          textColumn(
            'product',
            'Product',
            148,
            ({ symbol, product_id: id }) => symbol ?? (id === null ? null : String(id)),
          ),
        ]),
  ];
  return [
    ...keys.map((column, place): Column => (place === 0 ? { ...column, pinned: 'start' } : column)),
    {
      ...countColumn(
        'found',
        'Already working',
        120,
        'Already working when the journal began. When they were placed is unknown.',
      ),
      hidden: true,
    },
    countColumn(
      'placed',
      'Placed',
      76,
      'Orders that a reading listed for the first time, or that only the order history shows because they came and went ' +
        'between two readings.',
    ),
    FILLS,
    toRatioColumn(isRatioWithheld),
    SHARE,
    {
      ...countColumn(
        'passed',
        'From history',
        104,
        'Placed and closed between two readings: only the order history shows these orders. Part of placed and of gone.',
      ),
      hidden: true,
    },
    hide(countColumn('changed', 'Changed', 80, 'Changes while working, fills included.')),
    hide(countColumn('modified', 'Modified', 80, 'Changes of price, order quantity or time in force.')),
    hide(
      countColumn(
        'gone',
        'Gone',
        72,
        'No longer listed as working, and not listed again since. How they ended is in the next four columns.',
      ),
    ),
    hide(countColumn('filled', 'Filled', 72, 'Gone: completely filled, according to the order history.')),
    hide(
      countColumn(
        'partly',
        'Part filled',
        92,
        'Gone after a partial fill: cancelled or expired, which the exchange does not distinguish.',
      ),
    ),
    hide(
      countColumn(
        'unfilled',
        'Unfilled',
        80,
        'Gone without a fill: cancelled or expired, which the exchange does not distinguish.',
      ),
    ),
    {
      ...countColumn('unknown', 'Not known yet', 108, 'Gone, but the order history has not shown the outcome yet.'),
      hidden: true,
      tone: ({ outcome_unknown: count }) => (count > 0 ? 'attention' : undefined),
    },
    {
      ...countColumn(
        'returned',
        'Listed again',
        96,
        'Missing from an earlier reading and listed again: they had not gone, and are counted neither as ' +
          'gone nor as placed.',
      ),
      hidden: !hasReturned,
    },
    {
      ...countColumn('placedQty', 'Placed qty', 96, 'Order quantity of placed orders.'),
      unit: 'contracts',
      hidden: true,
    },
    {
      ...countColumn('filledQty', 'Filled qty', 96, 'Filled between two readings of an order, or after the last one.'),
      unit: 'contracts',
      hidden: true,
    },
    hide(
      figureColumn(
        'life',
        'Median life',
        96,
        undefined,
        ({ median_life_seconds: seconds }) => seconds,
        (seconds) => `≈ ${formatDuration(seconds)}`,
        'Of orders that ended: acceptance to last change by the exchange’s clock. Within 5%.',
      ),
    ),
    {
      ...countColumn(
        'filledBefore',
        'Filled before',
        104,
        'Quantity of placed orders that was filled before a reading listed them. Not part of the filled quantity.',
      ),
      unit: 'contracts',
      hidden: true,
    },
    {
      ...countColumn(
        'unmeasured',
        'Unmeasured',
        96,
        'Changes without a usable quantity: they count in no quantity and in no fill.',
      ),
      hidden: true,
    },
  ];
}

function hide(column: Column): Column {
  return { ...column, hidden: true };
}

function textColumn(id: string, title: string, width: number, read: (group: ActivityGroup) => string | null): Column {
  const value = (group: ActivityGroup): string | null => {
    const code = read(group);
    return code === '' ? null : code;
  };
  return { id, title, kind: 'text', width, value, text: (group) => value(group) ?? NO_VALUE, compare: compareCodes };
}

function countColumn(id: string, title: string, width: number, tooltip: string): Column {
  const [field] = FIELDS[id] ?? [];
  const value = (group: ActivityGroup): number => (field === undefined ? NaN : Number(group[field]));
  return { id, title, kind: 'number', width, tooltip, value, text: (group) => formatCount(value(group)) };
}

function figureColumn(
  id: string,
  title: string,
  width: number,
  unit: string | undefined,
  value: (counts: ActivityGroup) => number | null,
  format: (value: number) => string,
  tooltip: string,
): Column {
  const text = (group: ActivityGroup): string => {
    const figure = value(group);
    return figure === null ? NO_VALUE : format(figure);
  };
  return { id, title, kind: 'number', width, tooltip, value, text, ...(unit !== undefined && { unit }) };
}

const FILLS = countColumn(
  'fills',
  'Fills',
  64,
  'Changes that show a larger filled quantity. Two fills between two readings count as one.',
);
const SHARE = figureColumn(
  'share',
  'Share filled',
  96,
  '%',
  toShareFilled,
  (share) => (share * 100).toFixed(1),
  'Of the order quantity of orders that ended, how much was filled.',
);

function toRatioColumn(isWithheld: boolean): Column {
  if (!isWithheld) {
    return figureColumn(
      'ratio',
      'Order-to-trade',
      116,
      undefined,
      toOrderToTrade,
      (ratio) => ratio.toFixed(2),
      'Placed, modified, and closed without filling completely, for each fill seen.',
    );
  }
  const tooltip = 'Withheld: more than 1% of this period was not read, so orders may have been modified unseen.';
  return {
    ...figureColumn('ratio', 'Order-to-trade', 116, undefined, () => null, String, tooltip),
    text: () => NOT_AVAILABLE,
  };
}

/** Describes all groups together in one line. */
export function describeTotal(total: ActivityCounts): string {
  const ended = total.ended_filled + total.ended_partly_filled + total.ended_unfilled;
  const found = total.found === 0 ? '' : `${formatCount(total.found)} already working when the journal began, `;
  const passed = total.passed === 0 ? '' : ` (${formatCount(total.passed)} from order history)`;
  const returned = total.returned === 0 ? '' : `, ${formatCount(total.returned)} listed again`;
  return (
    `${found}${formatCount(total.placed)} placed${passed}, ${formatCount(total.changed)} changed, ` +
    `${formatCount(total.gone)} gone (outcome known for ${formatCount(ended)}, not yet for ` +
    `${formatCount(total.outcome_unknown)}), ` +
    `${countOf(toNumber(total.quantity_filled), 'contract')} filled${returned}`
  );
}
