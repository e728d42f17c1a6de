import { NO_VALUE } from '../../format/number.ts';
import type { MarketColumn } from './figure-cells.ts';
import { LATER_FIGURES } from '../../markets/price-change-names.ts';
import { type MarketColumnId, TERM_COLUMNS } from './market-list.ts';

export const DAYS_LEFT = { id: 'daysLeft', title: 'Expiry', unit: 'days', width: 56 } as const;

/** The columns of what is closed, and of the figures that are computed only if they are shown. */
const CHANGE_COLUMNS = ['trading', ...LATER_FIGURES] as const;

/** Creates placeholders for columns whose code has not loaded, so that a stored layout knows them all. */
export function createPendingColumns(hasFailed: boolean) {
  return { terms: toPending(TERM_COLUMNS, hasFailed), changes: toPending(CHANGE_COLUMNS, hasFailed) };
}

function toPending(ids: readonly MarketColumnId[], hasFailed: boolean): readonly MarketColumn[] {
  const [tooltip, text] = hasFailed ? ['Not loaded.', NO_VALUE] : ['Loading…', '…'];
  return ids.map((id) => ({
    ...DAYS_LEFT,
    id,
    kind: 'number',
    hidden: id !== DAYS_LEFT.id,
    tooltip,
    text: () => text,
    value: () => null,
  }));
}
