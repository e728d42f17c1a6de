import { countOf } from '../format/count.ts';
import type { ActivityRule, DeskRule, FundingRule, MarketRule, OrdersRule, Rule } from '#contract/desk/rules.ts';
import type { AGED_DATA, Comparison, Each, RuleUnit } from '#contract/desk/rule-measures.ts';
import { formatNumber } from '../format/number.ts';
import { toDecimal } from '../units/decimal.ts';

/** The fields of a rule that its sentence mentions. */
type SentenceSlot =
  | 'measure'
  | 'filter'
  | 'expression'
  | 'each'
  | 'data'
  | 'base_symbol'
  | 'against'
  | 'comparison'
  | 'value'
  | 'window_seconds'
  | 'for_seconds'
  | 'severity'
  | 'channels'
  | 'filter.kinds'
  | 'limits'
  | 'new_only'
  | 'clear_value'
  | 'keep_seconds'
  | 'at_most_every_seconds'
  | 'hours'
  | 'escalate'
  | 'repeat_seconds';

export interface SentencePart {
  readonly text: string;
  /** The field that the text represents; null for the words in between. */
  readonly slot: SentenceSlot | null;
}

export function plain(text: string): SentencePart {
  return { text, slot: null };
}

export function slot(name: SentenceSlot, text: string): SentencePart {
  return { text, slot: name };
}

/** Placeholder for a field that is still empty while a rule is being edited. */
const MISSING = '…';

/** Units of a time span, longest first. */
export const SPAN_UNITS = [
  { seconds: 86_400, name: 'day' },
  { seconds: 3_600, name: 'hour' },
  { seconds: 60, name: 'minute' },
  { seconds: 1, name: 'second' },
] as const;
type SpanUnit = (typeof SPAN_UNITS)[number];

/** Returns the longest unit of which a span is a whole multiple. */
export function unitOfSpan(seconds: number): SpanUnit {
  return SPAN_UNITS.find((unit) => seconds > 0 && seconds % unit.seconds === 0) ?? SPAN_UNITS[3];
}

/** `2 minutes`. */
export function formatSpan(seconds: number): string {
  if (!Number.isFinite(seconds)) return MISSING;
  const unit = unitOfSpan(seconds);
  return countOf(seconds / unit.seconds, unit.name);
}

/** Describes the condition of a rule, as a clause after “when”. */
export function toCondition(rule: Rule): readonly SentencePart[] {
  switch (rule.about) {
    case 'orders':
      return ofOrders(rule);
    case 'activity':
      return [
        ...ofCount(rule, ACTIVITY_NOUNS[rule.measure]),
        plain(' within '),
        slot('window_seconds', formatSpan(rule.window_seconds)),
      ];
    case 'market':
      return ofMarket(rule);
    case 'funding':
      return ofFunding(rule);
    case 'desk':
      return ofDesk(rule);
  }
}

/** Singular and plural. */
type Noun = readonly [one: string, several: string];

const WORKING: Noun = ['working order', 'working orders'];
const TWINS: Noun = ['working order that repeats another', 'working orders that repeat another'];
const ACTIVITY_NOUNS: Readonly<Record<ActivityRule['measure'], Noun>> = {
  placed: ['order placed', 'orders placed'],
  gone: ['order gone', 'orders gone'],
  filled: ['order filled, wholly or in part,', 'orders filled, wholly or in part,'],
};

const OWNERS: Readonly<Record<Exclude<Each, 'all'>, string>> = {
  account: 'an account',
  product: 'a product',
  firm: 'a firm',
  connection: 'a connection',
  order: 'an order',
};

function ofOrders(rule: OrdersRule): readonly SentencePart[] {
  const { comparison, value } = rule;
  switch (rule.measure) {
    case 'count':
      return ofCount(rule, WORKING);
    case 'twins':
      return ofCount(rule, TWINS);
    case 'distance':
      return [
        ...toHaving(rule.each, 'there is'),
        plain(' a working order '),
        slot('comparison', MORE_OR_LESS[comparison]),
        plain(' '),
        slot('value', `${number(value)} %`),
        plain(' '),
        slot('measure', 'from the market'),
      ];
    case 'oldest_age':
      return [
        plain(rule.each === 'order' ? 'a ' : 'the oldest '),
        slot('measure', 'working order'),
        ...(rule.each === 'order' ? [] : toOwner(rule.each)),
        plain(' is '),
        slot('comparison', 'older than'),
        plain(' '),
        slot('value', formatSpan(value)),
      ];
    case 'quantity':
      return [
        plain('the '),
        slot('measure', 'working quantity'),
        ...toOwner(rule.each),
        plain(' is '),
        ...toLimit(comparison, `${number(value)} contracts`),
      ];
    case 'notional':
      return [
        plain('the '),
        slot('measure', 'gross underlying notional'),
        ...toOwner(rule.each),
        plain(' is '),
        ...toLimit(comparison, `${number(value)} USD`),
      ];
  }
}

const MORE_OR_LESS: Readonly<Record<Comparison, string>> = {
  over: 'more than',
  under: 'less than',
  beyond: 'more than',
  crosses: 'more than',
};
const MORE_OR_FEWER: Readonly<Record<Comparison, string>> = { ...MORE_OR_LESS, under: 'fewer than' };

function ofCount(
  { each, comparison, value }: Pick<OrdersRule, 'each' | 'comparison' | 'value'>,
  [one, several]: Noun,
): readonly SentencePart[] {
  const [limit, isOne] = toCountLimit(comparison, value);
  return [
    ...toHaving(each, isOne ? 'there is' : 'there are'),
    plain(' '),
    ...limit,
    plain(' '),
    slot('measure', isOne ? one : several),
  ];
}

/** Describes what ends an alert, if that is not the value itself: `at 30 or under`. */
export function formatClearing(rule: Rule): string | null {
  const { comparison, clear_value: value, unit } = rule as Partial<OrdersRule>;
  if (value === undefined) return null;
  const amount = unit === 'seconds' ? formatSpan(value) : `${number(value)}${unit === 'percent' ? ' %' : ''}`;
  if (comparison === 'beyond') return `within ±${amount}`;
  return `at ${amount} or ${comparison === 'under' ? 'over' : 'under'}`;
}

/** “More than 0” and “fewer than 1” would not be good English. */
function toCountLimit(
  comparison: Comparison,
  value: number,
): readonly [limit: readonly SentencePart[], isOne: boolean] {
  if (comparison === 'over' && value === 0) return [[slot('value', 'at least 1')], true];
  if (comparison === 'under' && value === 1) return [[slot('value', 'no')], false];
  return [[slot('comparison', MORE_OR_FEWER[comparison]), plain(' '), slot('value', number(value))], value === 1];
}

function toHaving(each: Each, without: string): readonly SentencePart[] {
  // The alert is then raised for each order, not the condition.
  return each === 'all' || each === 'order' ? [plain(without)] : [slot('each', OWNERS[each]), plain(' has')];
}

function toOwner(each: Each): readonly SentencePart[] {
  return each === 'all' ? [] : [plain(' of '), slot('each', OWNERS[each])];
}

function toLimit(comparison: Comparison, value: string): readonly SentencePart[] {
  return [slot('comparison', comparison), plain(' '), slot('value', comparison === 'beyond' ? `±${value}` : value)];
}

const MARKET_NAMES: Readonly<Record<MarketRule['measure'], string>> = {
  price: 'price',
  price_change: 'price',
  volume: 'session’s volume',
  open_interest: 'open interest',
};

function ofMarket({ measure, filter, comparison, value }: MarketRule): readonly SentencePart[] {
  const named = [
    plain('the '),
    slot('measure', MARKET_NAMES[measure]),
    plain(' of '),
    slot('filter', nameProducts(filter)),
  ];
  const subject = [...named, plain(' is ')];
  if (measure === 'price') {
    const level = `${number(value)} USD`;
    return comparison === 'crosses'
      ? [...named, plain(' '), slot('comparison', 'crosses'), plain(' '), slot('value', level)]
      : [...subject, ...toLimit(comparison, level)];
  }
  if (measure !== 'price_change') return [...subject, ...toLimit(comparison, `${number(value)} contracts`)];
  // A fall of more than 5 % is a change under −5 %.
  const isFall = comparison === 'under' && value < 0;
  if (comparison === 'beyond') return [...subject, ...toChange('more than', value, 'away from')];
  if (isFall) return [...subject, ...toChange('more than', -value, 'below')];
  if (comparison === 'over' && value >= 0) return [...subject, ...toChange('more than', value, 'above')];
  return [
    ...named,
    plain(' has changed by '),
    ...toLimit(comparison, `${number(value)} %`),
    plain(' since its settlement'),
  ];
}

function toChange(comparison: string, value: number, direction: string): readonly SentencePart[] {
  return [
    slot('comparison', comparison),
    plain(' '),
    slot('value', `${number(value)} %`),
    plain(' '),
    slot('comparison', direction),
    plain(' its settlement'),
  ];
}

function nameProducts({ symbol, symbols, base_symbol: base, type = 'product' }: MarketRule['filter']): string {
  if (symbols !== undefined) return nameOne(symbols);
  if (symbol !== undefined) return symbol;
  const name = base === undefined ? type : `${base} ${type}`;
  return `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`;
}

/** Names all that a rule lists: the sentence is the rule. */
function nameOne(names: readonly string[]): string {
  const last = names.at(-1) ?? MISSING;
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}

function namePerpetuals({ base_symbol: one, base_symbols: several }: FundingRule): string {
  if (several !== undefined) return nameOne(several);
  return one === undefined ? 'a perpetual' : one || MISSING;
}

/** Rates are of an interval unless the rule says otherwise; a premium is a share of the index. */
const RATE_UNITS: Partial<Record<RuleUnit, string>> = {
  'percent': '% per interval',
  'percent per 8 h': '% per 8 h',
  'percent APR': '% APR',
};

function toRateLimit({ measure, unit = 'percent' }: FundingRule, value: number): string {
  return `${number(value)} ${measure === 'premium' ? '%' : (RATE_UNITS[unit] ?? '%')}`;
}

function ofFunding(rule: FundingRule): readonly SentencePart[] {
  const { measure, comparison = 'over', value = 0 } = rule;
  const own = slot('base_symbol', namePerpetuals(rule));
  const limit = toRateLimit(rule, value);
  switch (measure) {
    case 'predicted_rate':
    case 'settled_rate':
    case 'premium':
      return [
        plain('the '),
        slot('measure', FUNDING_NAMES[measure]),
        plain(' of '),
        own,
        plain(' is '),
        ...toLimit(comparison, limit),
      ];
    case 'flip':
      return [plain('the settled rate of '), own, plain(' '), slot('measure', 'changes sign')];
    case 'time_left':
      return [
        plain('the '),
        slot('measure', 'next funding'),
        plain(' is '),
        slot('comparison', 'less than'),
        plain(' '),
        slot('value', `${number(value)} minute${value === 1 ? '' : 's'}`),
        plain(' away'),
      ];
    case 'difference':
      return ofDifference(own, rule.against ?? '', comparison, limit);
  }
}

const FUNDING_NAMES = {
  predicted_rate: 'predicted rate',
  settled_rate: 'settled rate',
  premium: 'premium of mark over index',
} as const;

function ofDifference(
  own: SentencePart,
  against: string,
  comparison: Comparison,
  limit: string,
): readonly SentencePart[] {
  const other = slot('against', against || MISSING);
  if (comparison !== 'beyond')
    return [
      plain('the '),
      slot('measure', 'settled rate'),
      plain(' of '),
      own,
      plain(' minus that of '),
      other,
      plain(' is '),
      ...toLimit(comparison, limit),
    ];
  return [
    plain('the '),
    slot('measure', 'settled rates'),
    plain(' of '),
    own,
    plain(' and '),
    other,
    plain(' differ by '),
    slot('comparison', 'more than'),
    plain(' '),
    slot('value', limit),
  ];
}

const DATA_NAMES: Readonly<Record<(typeof AGED_DATA)[number], string>> = {
  'working-orders': 'working orders',
  'product-data': 'trading data',
  'funding': 'funding rates',
};

function ofDesk({
  measure,
  data = 'working-orders',
  value = 0,
  window_seconds: window = 0,
}: DeskRule): readonly SentencePart[] {
  switch (measure) {
    case 'data_age':
      return [
        plain('the '),
        slot('data', DATA_NAMES[data]),
        plain(' are '),
        slot('measure', 'older than'),
        plain(' '),
        slot('value', formatSpan(value)),
      ];
    case 'incomplete':
      return [slot('measure', 'the completeness of the working set is unproven')];
    case 'drift':
      return [slot('measure', 'the exchange’s interface has changed')];
    case 'budget_left':
      return [
        slot('comparison', 'less than'),
        plain(' '),
        slot('value', `${number(value)} %`),
        plain(' of the '),
        slot('measure', 'request budget'),
        plain(' is left'),
      ];
    case 'venue_away':
      return [slot('measure', 'the exchange is unreachable')];
    case 'journal_gap':
      return [
        slot('measure', 'the journal has a gap'),
        plain(' within the last '),
        slot('window_seconds', formatSpan(window).replace(/^1 /, '')),
      ];
  }
}

function number(value: number): string {
  return Number.isFinite(value) ? formatNumber(toDecimal(String(value))) : MISSING;
}
