import { readDay } from '#model/format/format-time.ts';
import { PERIODS, RANGE_NAMES } from '#model/time/date-range.ts';
import { zoomedRange } from '#page/kit/chart/zoom.ts';
import { COMPARED_AS, type ComparedAs } from '#model/charts/price/comparison.ts';
import { choiceParam, textParam, type UrlParam, wordsParam } from '#model/format/url-param.ts';

export const DEFAULT_RANGE = { name: '6M' } as const;

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
  hidden: wordsParam('hide'),
  view: choiceParam('view', ['chart', 'table'], 'chart'),
  specification: choiceParam('spec', ['closed', 'open'], 'closed'),
} as const;
