import { headerTooltips } from '#model/tables/markets/header-tooltips.ts';
import { MarketSums } from './market-sums.tsx';
import { createTextMarks } from '#page/kit/grid/text-marks.ts';
import { trendCells } from './trend.ts';
import { addTerms } from '#model/tables/markets/add-terms.ts';
import { createTermColumns } from '../terms/term-columns.ts';
import { TermFilterChip } from '../terms/term-filter-chip.tsx';
import { toTermTest } from '#model/tables/markets/term-filter.ts';

/** What the list needs soon, but not for its first prices: terms of contracts, trends, and the marks of its filter. */
export const listCode = {
  addTerms,
  createTermColumns,
  createTextMarks,
  headerTooltips,
  MarketSums,
  TermFilterChip,
  toTermTest,
  trendCells,
};

export type ListCode = typeof listCode;
