import type { Difference } from '../../orders/compare-books.ts';

export const DIFFERENCE_NAMES: Readonly<Record<Difference, string>> = {
  added: 'Added',
  changed: 'Changed',
  gone: 'Gone',
  same: 'Unchanged',
};
