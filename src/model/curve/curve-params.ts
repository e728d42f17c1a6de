import { type Day, isDay } from '#contract/exchange/instant.ts';
import { BASIS_PRICES } from '../basis/basis.ts';
import { choiceParam, textParam, type UrlParam, wordsParam } from '../format/url-param.ts';
import { COMPARED, type Compared } from './curve-rows.ts';

/** What the chart shows of each point. */
export const CURVE_METRICS = ['aYear', 'usd', 'settlement'] as const;
export type CurveMetric = (typeof CURVE_METRICS)[number];

/** An earlier session to compare with: so many days before, or the last until a day. */
export type ComparedWith = Compared | Day;

const BY_DEFAULT: readonly ComparedWith[] = ['1d', '1w'];
const NONE = 'none';

/** No comparison is written as a word, because an address without the parameter means the default. */
function comparedParam(name: string): UrlParam<readonly ComparedWith[]> {
  const words = wordsParam(name);
  return {
    read: (query) => {
      const given = words.read(query);
      return given.length === 0 ? BY_DEFAULT : given.filter(isCompared);
    },
    write: (query, compared) => {
      const isDefault = compared.join() === BY_DEFAULT.join();
      words.write(query, isDefault ? [] : compared.length === 0 ? [NONE] : compared);
    },
  };
}

function isCompared(word: string): word is ComparedWith {
  return COMPARED.some((each) => each === word) || isDay(word);
}

/**
 * Months settle at 16:00 in Chicago, two or three hours before the funding time of 00:00 UTC. No settlement is further
 * than four hours from a funding time. By default there is no basis over an index so far apart: it is wanted knowingly.
 */
export const MOST_APART = ['1', '2', '3', '4'] as const;

/** The parts of the screen, of which one is shown. */
export const CURVE_VIEWS = ['curve', 'history', 'carry', 'spreads', 'calendar'] as const;
export type CurveView = (typeof CURVE_VIEWS)[number];

export const CURVE_PARAMS = {
  metric: choiceParam('show', CURVE_METRICS, 'aYear'),
  /** The base symbol of the series; by default, the one with the most open interest. */
  series: textParam('series'),
  compared: comparedParam('with'),
  /** What the basis is measured over. */
  over: choiceParam('over', BASIS_PRICES, 'settlement'),
  /** In hours: how far from the settlement the funding time of an index or mark may be. */
  apart: choiceParam('apart', MOST_APART, '1'),
  view: choiceParam('view', CURVE_VIEWS, 'curve'),
} as const;
