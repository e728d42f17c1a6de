import { readDay } from '#model/format/format-time.ts';
import { type ChosenRange, PERIODS, RANGE_NAMES } from '#model/time/date-range.ts';
import { zoomedRange } from '#page/kit/chart/zoom.ts';
import { COMPARED_AS, type ComparedAs } from '#model/charts/price/compared-as.ts';
import { choiceParam, textParam, type UrlParam, wordsParam } from '#model/format/url-param.ts';

const DEFAULT_RANGE = { name: '6M' } as const;

/** Returns the range of the current figures: that of the chart, unless it may lack a settlement of 30 days ago. */
export function toCurrentRange(range: ChosenRange): ChosenRange {
  return 'from' in range || range.name === '1M' ? DEFAULT_RANGE : range;
}

/** How often the screen reads daily figures. */
export const REFRESH_SECONDS = 60;

/** The current session, whichever that is. */
export const OBSERVED_NOW = 'now';

function readObserved(query: URLSearchParams): string {
  const text = query.get('observed') ?? '';
  return text === OBSERVED_NOW ? text : (readDay(text) ?? '');
}

const comparedAsWords = wordsParam('compare');
const DEFAULT_COMPARED_AS: readonly ComparedAs[] = ['rebased'];

/** The panes of a comparison, in their order; at least one. */
const comparedAs: UrlParam<readonly ComparedAs[]> = {
  read: (query) => {
    const words = comparedAsWords.read(query);
    const chosen = COMPARED_AS.filter((as) => words.includes(as));
    return chosen.length === 0 ? DEFAULT_COMPARED_AS : chosen;
  },
  write: (query, chosen) => {
    comparedAsWords.write(query, chosen.join() === DEFAULT_COMPARED_AS.join() ? [] : chosen);
  },
};

/** Not drawn until its name in the legend is clicked: settlements would lie over the candles. */
const HIDDEN_AT_FIRST: readonly string[] = ['Settlement'];
const NOTHING = 'none';
const hide = wordsParam('hide');

/** Names what is hidden. Without it, that is what is hidden at first; `none` hides nothing. */
const hiddenParam: UrlParam<readonly string[]> = {
  read: (query) => (query.has('hide') ? hide.read(query).filter((name) => name !== NOTHING) : HIDDEN_AT_FIRST),
  write: (query, hidden) => {
    const isAtFirst = hidden.join() === HIDDEN_AT_FIRST.join();
    hide.write(query, isAtFirst ? [] : hidden.length === 0 ? [NOTHING] : hidden);
  },
};

/** The parameters of the screen's address, besides the product. */
export const PRICE_PARAMS = {
  ...zoomedRange(RANGE_NAMES, DEFAULT_RANGE.name),
  /** The session whose observed prices are shown instead of bars: a day, or `now`; empty for bars. */
  observed: { ...textParam('observed'), read: readObserved },
  period: choiceParam('bars', PERIODS, '1D'),
  scale: choiceParam('scale', ['linear', 'log', 'percent'], 'linear'),
  /** Products to compare with, by id or symbol. */
  against: wordsParam('vs'),
  comparedAs,
  gaps: choiceParam('gaps', ['empty', 'flat'], 'empty'),
  /** Whether the scale includes bad ticks. */
  badTicks: choiceParam('badticks', ['offscale', 'inscale'], 'offscale'),
  /** Which figures the header shows where space is limited. */
  figures: choiceParam('figures', ['main', 'all'], 'main'),
  /** Which chart controls are shown where space is limited. */
  controls: choiceParam('controls', ['main', 'all'], 'main'),
  /** The series that are not drawn, by their names in the legend. */
  hidden: hiddenParam,
  /** The indicators, with their parameters: `sma:20`. */
  indicators: wordsParam('ind'),
  view: choiceParam('view', ['chart', 'table'], 'chart'),
  specification: choiceParam('spec', ['closed', 'open'], 'closed'),
} as const;
