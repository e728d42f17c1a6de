import { flag, instant, integer, number, text } from '../exchange/fields.ts';
import { codeGrammar, orderFilters, type Parameter } from '../exchange/parameters.ts';
import { findDeviations } from '../parse/check.ts';
import {
  AGED_DATA,
  COMPARISONS,
  EACH,
  findMeasure,
  MEASURES,
  RULE_UNITS,
  SEVERITIES,
  type About,
  type Measure,
  type MeasureOf,
} from './rule-measures.ts';
import { list, nullable, optional, row, scalar, toShape, type Shape, type Static } from '../exchange/schema.ts';

/** Rules as JSON. All mistakes in a rule are reported together, for people who write them by hand. */

const word = <const Word extends string>(words: readonly Word[], description: string) =>
  scalar<Word>({ type: 'string', enum: words, description });

function wordsOf<A extends About>(about: A): readonly MeasureOf<A>[] {
  return Object.keys(MEASURES[about]) as MeasureOf<A>[];
}

const OrderFilter = row('RuleOrderFilter', 'Only orders that match all of these, like the filters of working orders.', {
  symbol: optional(text('Product symbol.')),
  product_id: optional(text('Product ID.')),
  product_type: optional(text('Product type of the order.')),
  clearing_member_code: optional(text('Short name of the clearing firm.')),
  account_id: optional(text('Account code.')),
  connection_id: optional(text('Connection that sent the order.')),
});
export type RuleOrderFilter = Static<typeof OrderFilter>;

const ProductFilter = row('RuleProductFilter', 'Only products that match all of these.', {
  symbol: optional(text('Product symbol.')),
  base_symbol: optional(text('Base symbol.')),
  type: optional(text('Product type.')),
});
export type RuleProductFilter = Static<typeof ProductFilter>;

const common = {
  id: text('ID of the rule: lower-case letters, digits and hyphens, 64 at most.'),
  name: text('Name of the rule, for people.'),
  enabled: flag('Whether it is evaluated. Nothing is read for a rule that is off.'),
  severity: word(SEVERITIES, 'Severity of its alerts.'),
  channels: list(text('A channel to notify.')),
  for_seconds: integer('How long the condition must hold before the rule fires.'),
};

const compared = {
  comparison: word(
    COMPARISONS,
    'How the measure is compared with the value. beyond: over the value, or under its negative.',
  ),
  value: number('What the measure is compared with.'),
  unit: word(RULE_UNITS, 'Unit of the value: that of the measure.'),
};
const comparedIfMeasured = {
  comparison: optional(compared.comparison),
  value: optional(compared.value),
  unit: optional(compared.unit),
};

const ofOrders = {
  filter: OrderFilter,
  expression: optional(
    text(
      'A condition on one order beyond the filter, in the Common Expression Language: ' +
        '`order.quantity_requested > 100`.',
    ),
  ),
  each: word(EACH, 'Whether it is evaluated for all orders together, or for each of these.'),
};

const windowSeconds = integer('Length of the window, which ends now.');

const OrdersRule = row('OrdersRule', 'A rule about working orders.', {
  ...common,
  about: word(['orders'], 'Working orders.'),
  measure: word(wordsOf('orders'), 'What is compared.'),
  ...ofOrders,
  ...compared,
});
const ActivityRule = row('ActivityRule', 'A rule about changes of working orders, as recorded in the journal.', {
  ...common,
  about: word(['activity'], 'What happened to orders.'),
  measure: word(wordsOf('activity'), 'What is counted.'),
  window_seconds: windowSeconds,
  ...ofOrders,
  ...compared,
});
const MarketRule = row('MarketRule', 'A rule about products, evaluated for each of them.', {
  ...common,
  about: word(['market'], 'Products.'),
  measure: word(wordsOf('market'), 'What is compared.'),
  filter: ProductFilter,
  ...compared,
});
const FundingRule = row('FundingRule', 'A rule about the funding of a perpetual.', {
  ...common,
  about: word(['funding'], 'Funding.'),
  measure: word(wordsOf('funding'), 'What is compared.'),
  base_symbol: text('Base symbol of the perpetual.'),
  against: optional(text('Base symbol of the other perpetual, for a difference.')),
  ...comparedIfMeasured,
});
const DeskRule = row('DeskRule', 'A rule about Perpdesk itself and what it can read.', {
  ...common,
  about: word(['desk'], 'Perpdesk.'),
  measure: word(wordsOf('desk'), 'What is compared.'),
  data: optional(word(AGED_DATA, 'The data whose age is measured.')),
  window_seconds: optional(windowSeconds),
  ...comparedIfMeasured,
});

export type OrdersRule = Static<typeof OrdersRule>;
export type ActivityRule = Static<typeof ActivityRule>;
export type MarketRule = Static<typeof MarketRule>;
export type FundingRule = Static<typeof FundingRule>;
export type DeskRule = Static<typeof DeskRule>;
export type Rule = OrdersRule | ActivityRule | MarketRule | FundingRule | DeskRule;

const SHAPES: Readonly<Record<About, Shape>> = {
  orders: toShape(OrdersRule),
  activity: toShape(ActivityRule),
  market: toShape(MarketRule),
  funding: toShape(FundingRule),
  desk: toShape(DeskRule),
};

const ABOUT = Object.keys(MEASURES) as readonly About[];

/** All rules in one shape, for documents and clients. The fields of a rule depend on what it is about. */
export const AnyRule = scalar<Rule>({
  type: 'object',
  title: 'Rule',
  description: 'A rule. Which fields it has depends on what it is about.',
  required: [...Object.keys(common), 'about', 'measure'],
  properties: {
    ...Object.fromEntries(ABOUT.flatMap((about) => Object.entries(SHAPES[about].properties ?? {}))),
    ...shared(),
  },
  additionalProperties: false,
});

/** Combines the fields whose allowed values depend on the kind of rule. */
function shared(): Readonly<Record<string, Shape>> {
  const filter = row('RuleFilter', 'Only orders, or products, that match all of these.', {
    ...OrderFilter.properties,
    ...ProductFilter.properties,
  });
  return {
    about: toShape(word(ABOUT, 'What the rule is about.')),
    measure: toShape(
      word([...new Set(ABOUT.flatMap((about) => Object.keys(MEASURES[about])))], 'What is compared, or counted.'),
    ),
    filter: toShape(filter),
  };
}

/** A mistake in a rule. */
export interface RuleMistake {
  /** For example `$.filter.account_id`. */
  readonly path: string;
  readonly detail: string;
}

export type CheckedRule =
  | { readonly rule: Rule; readonly mistakes: null }
  | { readonly rule: null; readonly mistakes: readonly RuleMistake[] };

export function checkRule(value: unknown, path = '$'): CheckedRule {
  const about: unknown =
    typeof value === 'object' && value !== null ? (value as { readonly about?: unknown }).about : undefined;
  const shape = ABOUT.find((known) => known === about);
  if (shape === undefined)
    return { rule: null, mistakes: [{ path: `${path}.about`, detail: `must be one of ${ABOUT.join(', ')}` }] };
  const deviations = findDeviations(SHAPES[shape], value, path);
  const mistakes = deviations.map(({ path: at, expected, found }) => ({
    path: at,
    detail: `must be ${expected}, not ${found}`,
  }));
  const rule = value as Rule;
  const all = [...mistakes, ...findContradictions(rule, path)].filter(
    (one, index, list) => list.findIndex((other) => other.path === one.path) === index,
  );
  return all.length === 0 ? { rule, mistakes: null } : { rule: null, mistakes: all };
}

/** Returns the rules to import, or all of their mistakes. `path`: where each rule is. */
export function checkRules(
  values: readonly unknown[],
  path = (index: number): string => `$.rules[${String(index)}]`,
): { readonly rules: readonly Rule[]; readonly mistakes: readonly RuleMistake[] } {
  const checked = values.map((value, index) => checkRule(value, path(index)));
  const rules = checked.flatMap(({ rule }) => (rule === null ? [] : [rule]));
  const repeated = values.flatMap((value, index) =>
    values.findIndex((other) => idOf(other) === idOf(value)) < index
      ? [{ path: `${path(index)}.id`, detail: 'must not be that of an earlier rule' }]
      : [],
  );
  const tooMany =
    values.length > MOST_RULES
      ? [{ path: path(MOST_RULES), detail: `must not be there: ${String(MOST_RULES)} rules at most` }]
      : [];
  return { rules, mistakes: [...tooMany, ...checked.flatMap(({ mistakes }) => mistakes ?? []), ...repeated] };
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
}

export const MOST_RULES = 200;
const ID_PATTERN = /^[a-z0-9][a-z0-9-]{0,63}$/;
const LONGEST_NAME = 100;
const LONGEST_EXPRESSION = 500;
const LONGEST_SECONDS = 7 * 86_400;

type Fields = Readonly<Record<string, unknown>>;

type Wrong = readonly [field: string, detail: string];

/** Finds mistakes beyond the types of fields. A field of the wrong type is already reported. */
function findContradictions(rule: Rule, path: string): readonly RuleMistake[] {
  const fields: Fields = { ...rule };
  const named = fields['measure'];
  const measure = typeof named === 'string' ? findMeasure(rule.about, named) : undefined;
  const wrong = [
    ...findWrongTexts(fields),
    ...findWrongSeconds(fields, 'for_seconds', 0),
    ...(measure === undefined ? [] : findWrongMeasure(measure, fields)),
    ...findMisplaced(fields),
  ];
  const filters =
    rule.about === 'orders' || rule.about === 'activity' ? findWrongFilters(fields['filter'], `${path}.filter`) : [];
  return [...wrong.map(([field, detail]) => ({ path: `${path}.${field}`, detail })), ...filters];
}

function findWrongTexts({ id, name, expression, channels, base_symbol: base }: Fields): readonly Wrong[] {
  const found: Wrong[] = [];
  if (typeof id === 'string' && !ID_PATTERN.test(id))
    found.push(['id', 'must be 1 to 64 lower-case letters, digits and hyphens, beginning with a letter or a digit']);
  if (typeof name === 'string' && (!isWithin(name, LONGEST_NAME) || /\p{Cc}/u.test(name)))
    found.push(['name', `must be 1 to ${String(LONGEST_NAME)} characters in one line`]);
  if (typeof expression === 'string' && !isWithin(expression, LONGEST_EXPRESSION))
    found.push(['expression', `must be 1 to ${String(LONGEST_EXPRESSION)} characters`]);
  if (typeof base === 'string' && !codeGrammar.accepts(base))
    found.push(['base_symbol', `must be ${codeGrammar.sentence}`]);
  if (Array.isArray(channels) && new Set(channels).size < channels.length)
    found.push(['channels', 'must not name a channel twice']);
  return found;
}

function isWithin(text: string, longest: number): boolean {
  return text.trim() !== '' && text.length <= longest;
}

/** Finds fields that the measure does not have. */
function findMisplaced({ measure, base_symbol: base, against, data }: Fields): readonly Wrong[] {
  const found: Wrong[] = [];
  if (
    measure === 'difference'
      ? typeof against !== 'string' || !codeGrammar.accepts(against) || against === base
      : against !== undefined
  ) {
    found.push([
      'against',
      measure === 'difference' ? 'must be the base symbol of another perpetual' : 'must only be given for a difference',
    ]);
  }
  if ((measure === 'data_age') === (data === undefined))
    found.push([
      'data',
      measure === 'data_age' ? `must be one of ${AGED_DATA.join(', ')}` : 'must only be given for an age',
    ]);
  return found;
}

function findWrongSeconds(fields: Fields, field: string, least: number): readonly Wrong[] {
  const seconds = fields[field];
  const isRight = typeof seconds !== 'number' || (seconds >= least && seconds <= LONGEST_SECONDS);
  return isRight ? [] : [[field, `must be ${String(least)} to ${String(LONGEST_SECONDS)}`]];
}

const LEAST_WINDOW_SECONDS = 60;

function findWrongMeasure(measure: Measure, fields: Fields): readonly Wrong[] {
  const { window_seconds: window } = fields;
  const compared = measure.unit === null ? findNeedless(fields) : findWrongComparison(measure, fields);
  if (measure.hasWindow !== true)
    return window === undefined
      ? compared
      : [...compared, ['window_seconds', 'must only be given for what is counted in a window']];
  return [
    ...compared,
    ...(typeof window === 'number'
      ? findWrongSeconds(fields, 'window_seconds', LEAST_WINDOW_SECONDS)
      : [['window_seconds', 'must be a whole number'] as const]),
  ];
}

function findNeedless(fields: Fields): readonly Wrong[] {
  return ['comparison', 'value', 'unit']
    .filter((field) => fields[field] !== undefined)
    .map((field) => [field, 'must not be given: the measure is either so or not']);
}

function findWrongComparison(
  { unit, comparisons }: Measure,
  { comparison, value, unit: given }: Fields,
): readonly Wrong[] {
  const found: Wrong[] = [];
  if (!comparisons.some((known) => known === comparison))
    found.push(['comparison', `must be ${comparisons.join(' or ')}`]);
  if (given !== unit) found.push(['unit', `must be ${String(unit)}`]);
  if (typeof value !== 'number') found.push(['value', 'must be a number']);
  else if (value < 0 && (comparison === 'beyond' || unit !== 'percent')) found.push(['value', 'must not be negative']);
  return found;
}

function findWrongFilters(filter: unknown, path: string): readonly RuleMistake[] {
  const filters: Readonly<Record<string, Parameter>> = orderFilters;
  const pairs = typeof filter === 'object' && filter !== null ? Object.entries(filter) : [];
  return pairs.flatMap(([name, value]) => {
    const grammar = Object.hasOwn(filters, name) ? filters[name]?.grammar : undefined;
    return grammar === undefined || typeof value !== 'string' || grammar.accepts(value)
      ? []
      : [{ path: `${path}.${name}`, detail: `must be ${grammar.sentence}` }];
  });
}

const RuleChange = row('RuleChange', 'A change of a rule: who made it, and the rule before and after.', {
  at: instant('When it was made.'),
  by: text('Who made it.'),
  rule_id: text('The rule.'),
  before: nullable(AnyRule),
  after: nullable(AnyRule),
});
export type RuleChange = Static<typeof RuleChange>;

/** `GET /api/desk/rules`: also the format for imports. */
export const DeskRules = row(
  'DeskRules',
  'All rules; for those who may not see all orders, the rules whose filter confines them to orders ' +
    'that they may see, or that are not about orders.',
  { rules: list(AnyRule) },
);
export type DeskRules = Static<typeof DeskRules>;

/** `GET /api/desk/rules/changes`. */
export const DeskRuleChanges = row(
  'DeskRuleChanges',
  'Changes of rules that the viewer may see, newest first. Only the newest 1,000 are kept.',
  { changes: list(RuleChange) },
);
export type DeskRuleChanges = Static<typeof DeskRuleChanges>;
