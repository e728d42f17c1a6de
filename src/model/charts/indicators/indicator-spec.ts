// Which indicators a chart has, as its address names them. Their computation loads separately.

interface ParameterRule {
  readonly name: string;
  readonly first: string;
  readonly least: number;
  readonly most: number;
  /** Whether it may have one digit after the point. */
  readonly tenths?: boolean;
}

interface KindRule {
  /** Its name in the menu. */
  readonly name: string;
  /** Its name in the legend, before its parameters. */
  readonly short: string;
  readonly joint?: string;
  readonly parameters: readonly ParameterRule[];
}

const barsOf = (first: string, name = 'Bars'): ParameterRule => ({ name, first, least: 2, most: 400 });

/** The indicators of prices, and those of funding rates. */
const KINDS = {
  sma: { name: 'Simple moving average', short: 'SMA', parameters: [barsOf('20')] },
  ema: { name: 'Exponential moving average', short: 'EMA', parameters: [barsOf('20')] },
  bb: {
    name: 'Bollinger bands',
    short: 'Bollinger',
    joint: ' × ',
    parameters: [barsOf('20'), { name: 'Standard deviations', first: '2', least: 0.5, most: 5, tenths: true }],
  },
  rsi: { name: 'Relative strength index', short: 'RSI', parameters: [barsOf('14')] },
  macd: {
    name: 'MACD',
    short: 'MACD',
    joint: '/',
    parameters: [barsOf('12', 'Fast bars'), barsOf('26', 'Slow bars'), barsOf('9', 'Signal bars')],
  },
  atr: { name: 'Average true range', short: 'ATR', parameters: [barsOf('14')] },
  vol: { name: 'Realised volatility', short: 'Volatility', parameters: [barsOf('30')] },
  dd: { name: 'Drawdown', short: 'Drawdown', parameters: [] },
  funding: { name: 'Funding', short: 'Funding', parameters: [] },
  premium: { name: 'Premium', short: 'Premium', parameters: [] },
  mean: { name: 'Moving mean', short: 'Mean', parameters: [barsOf('21', 'Intervals')] },
  sum: { name: 'Cumulative sum', short: 'Cumulative sum', parameters: [] },
} as const satisfies Readonly<Record<string, KindRule>>;

export type IndicatorKind = keyof typeof KINDS;

export const PRICE_INDICATORS = ['sma', 'ema', 'bb', 'rsi', 'macd', 'atr', 'vol', 'dd'] as const;
/** Those that only a perpetual has. */
export const PERPETUAL_INDICATORS = [...PRICE_INDICATORS, 'funding', 'premium'] as const;
export const RATE_INDICATORS = ['mean', 'sum'] as const;

export const MOST_INDICATORS = 8;

/** An indicator with valid parameters, as written. */
export interface IndicatorSpec {
  readonly kind: IndicatorKind;
  readonly parameters: readonly string[];
  /** Its name in the legend. It has no comma, which separates names in the address. */
  readonly name: string;
}

export function ruleOf(kind: IndicatorKind): KindRule {
  return KINDS[kind];
}

/** Writes an indicator as in the address: `bb:20:2`. */
export function writeIndicator(kind: IndicatorKind, parameters: readonly string[]): string {
  return [kind, ...parameters].join(':');
}

/** Returns an indicator with its first parameters. */
export function firstOf(kind: IndicatorKind): string {
  return writeIndicator(
    kind,
    ruleOf(kind).parameters.map(({ first }) => first),
  );
}

/** Says in a sentence what is wrong with a parameter, or returns null. */
export function findMistake({ name, least, most, tenths = false }: ParameterRule, text: string): string | null {
  const isWritten = (tenths ? /^\d{1,3}(\.\d)?$/ : /^[1-9]\d{0,2}$/).test(text);
  if (isWritten && Number(text) >= least && Number(text) <= most) return null;
  const number = tenths ? 'a number with at most one decimal' : 'a whole number';
  return `${name} must be ${number} from ${String(least)} to ${String(most)}.`;
}

/** Says in a sentence what is wrong with the parameters together, or returns null. */
export function findConflict(kind: IndicatorKind, parameters: readonly string[]): string | null {
  return kind === 'macd' && Number(parameters[0]) >= Number(parameters[1])
    ? 'The fast average must have fewer bars than the slow one.'
    : null;
}

interface ReadIndicators {
  readonly specs: readonly IndicatorSpec[];
  /** What is not shown, and why, in sentences. */
  readonly problems: readonly string[];
}

/** Reads indicators from the address. Those that cannot be read are named. */
export function readIndicators(words: readonly string[], offered: readonly IndicatorKind[]): ReadIndicators {
  const specs = new Map<string, IndicatorSpec>();
  const problems: string[] = [];
  for (const word of words) {
    const read = readIndicator(word, offered);
    if (typeof read === 'string') problems.push(read);
    else if (specs.has(read.name)) continue;
    else if (specs.size === MOST_INDICATORS)
      problems.push(`${read.name} is not shown: a chart has at most eight indicators.`);
    else specs.set(read.name, read);
  }
  return { specs: [...specs.values()], problems };
}

function readIndicator(word: string, offered: readonly IndicatorKind[]): IndicatorSpec | string {
  const [code, ...parameters] = word.split(':');
  const kind = offered.find((each) => each === code);
  if (kind === undefined) return `No indicator “${word}” on this chart.`;
  const { parameters: rules, short, joint = ' ' } = ruleOf(kind);
  if (parameters.length !== rules.length) return `${short} “${word}” is not shown: it is written “${firstOf(kind)}”.`;
  const mistake =
    rules.map((rule, place) => findMistake(rule, parameters[place] ?? '')).find((each) => each !== null) ??
    findConflict(kind, parameters);
  if (mistake !== null) return `${short} “${word}” is not shown. ${mistake}`;
  return { kind, parameters, name: [short, parameters.join(joint)].filter(Boolean).join(' ') };
}
