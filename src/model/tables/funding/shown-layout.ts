import type { RateForm } from '../../funding/funding-rate.ts';
import type { GridState } from '../grid.ts';
import type { RankBy } from './compare-params.ts';
import type { NamedWindow } from './realised.ts';

/** Columns of the rate unit chosen, each with its column per 8 h, which shows the same if that is the unit. */
const IN_UNIT: ReadonlyMap<string, string> = new Map([
  ['form', 'settled'],
  ['estimate-form', 'estimate'],
]);

/** Whether the rate unit omits a column, because it would repeat another one. */
export function isRepeated(id: string, form: RateForm): boolean {
  return form === 'interval' && IN_UNIT.has(id);
}

/** Returns the column with the figure that rows are ranked by. */
function toRankedColumn(rankBy: RankBy, { id }: Pick<NamedWindow, 'id'>, form: RateForm): string {
  const inForm = (column: string): string => (isRepeated(column, form) ? (IN_UNIT.get(column) ?? column) : column);
  switch (rankBy) {
    case 'realised':
      return `rate-${id}`;
    case 'stability':
      return 'deviation';
    case 'rate':
      return inForm('form');
    case 'predicted':
      return inForm('estimate-form');
    default:
      return rankBy;
  }
}

interface Shown {
  readonly rankBy: RankBy;
  readonly chosen: Pick<NamedWindow, 'id'>;
  readonly form: RateForm;
  /** Whether there is room for no more pinned columns than name, rank and figure. */
  readonly isNarrow: boolean;
}

/**
 * Shows the figure that rows are ranked by beside their rank, where neither scrolls out of view, and a rate per 8 h
 * where the rate unit omits the same rate.
 */
export function toShownLayout(stored: GridState, { rankBy, chosen, form, isNarrow }: Shown): GridState {
  const ranked = ['rank', toRankedColumn(rankBy, chosen, form)];
  const isRanked = (id: string): boolean => ranked.includes(id);
  const isUnpinned = (id: string): boolean => isRanked(id) || (isNarrow && id !== 'symbol');
  const start = [...stored.pinned.start.filter((id) => !isUnpinned(id)), ...ranked];
  const repeats = [...IN_UNIT].flatMap(([id, perInterval]) =>
    isRepeated(id, form) && !stored.hidden.includes(id) ? [perInterval] : [],
  );
  return {
    ...stored,
    hidden: stored.hidden.filter((id) => !isRanked(id) && !repeats.includes(id)),
    pinned: { start, end: stored.pinned.end.filter((id) => !isRanked(id)) },
  };
}

/** Returns the layout to store after a change of the one shown: without what only showing it has changed. */
export function toStoredLayout(next: GridState, shown: GridState, stored: GridState): GridState {
  const keep = (pick: (state: GridState) => readonly string[]): readonly string[] => {
    const [after, before, own] = [pick(next), pick(shown), pick(stored)];
    return [
      ...after.filter((id) => own.includes(id) || !before.includes(id)),
      ...own.filter((id) => !before.includes(id) && !after.includes(id)),
    ];
  };
  return {
    ...next,
    hidden: next.hidden === shown.hidden ? stored.hidden : keep(({ hidden }) => hidden),
    pinned:
      next.pinned === shown.pinned
        ? stored.pinned
        : { start: keep(({ pinned }) => pinned.start), end: keep(({ pinned }) => pinned.end) },
  };
}
