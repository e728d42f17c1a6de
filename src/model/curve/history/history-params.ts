import { choiceParam, wordsParam } from '../../format/url-param.ts';

export const HISTORY_RANGES = ['3M', '6M', '1Y', '2Y'] as const;
export type HistoryRange = (typeof HISTORY_RANGES)[number];

/** The figures of a basis. */
export const HISTORY_FIGURES = ['aYear', 'usd', 'fraction'] as const;
export type HistoryFigure = (typeof HISTORY_FIGURES)[number];

export const HISTORY_PARAMS = {
  range: choiceParam('over', HISTORY_RANGES, '6M'),
  figure: choiceParam('basis', HISTORY_FIGURES, 'aYear'),
  as: choiceParam('as', ['lines', 'heatmap'], 'lines'),
  /** Months and constant maturities that the legend hides. */
  hidden: wordsParam('hide'),
  view: choiceParam('chart', ['chart', 'table'], 'chart'),
} as const;
