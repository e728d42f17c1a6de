import { NO_VALUE } from '../../format/number.ts';
import type { MarketColumn } from './figure-cells.ts';
import { TERM_COLUMNS } from './market-list.ts';

export const DAYS_LEFT = { id: 'daysLeft', title: 'Expiry', unit: 'days', width: 58 } as const;

/** Creates placeholders for columns whose code has not loaded, so that a stored layout knows them all. */
export function createPendingTermColumns(hasFailed: boolean): readonly MarketColumn[] {
  const [tooltip, text] = hasFailed ? ['Not loaded.', NO_VALUE] : ['Loading…', '…'];
  return TERM_COLUMNS.map((id) => ({
    ...DAYS_LEFT,
    id,
    kind: 'number',
    hidden: id !== DAYS_LEFT.id,
    tooltip,
    text: () => text,
    value: () => null,
  }));
}
