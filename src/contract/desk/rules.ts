import { flag, instant, integer, number, text } from '../exchange/fields.ts';
import { codeGrammar } from '../exchange/parameters.ts';
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
import { findWrongFilters, OrderFilter } from './rule-filters.ts';
import { clearing, findWrongTiming, timing } from './rule-timing.ts';
import { list, nullable, optional, row, scalar, toShape, type Shape, type Static } from '../exchange/schema.ts';
import { hasUnseen } from './unseen.ts';

/** Rules as JSON. All mistakes in a rule are reported together, for people who write them by hand. */

const word = <const Word extends string>(words: readonly Word[], description: string) =>
  scalar<Word>({ type: 'string', enum: words, description });

function wordsOf<A extends About>(about: A): readonly MeasureOf<A>[] {
  return Object.keys(MEASURES[about]) as MeasureOf<A>[];
}

const ProductFilter = row('RuleProductFilter', 'Only products that match all of these.', {
  symbol: optional(text('Product symbol.')),
  symbols: optional(list(text('A product symbol. The product must be one of these, and no other field is given.'))),
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
  ...timing,
  escalate: optional(
    list(
      row('RuleEscalation', 'Channels to notify as well if an alert is not acknowledged.', {
        after_seconds: integer('How long after the first notification about the alert.'),
        channels: list(text('A channel to notify.')),
      }),
    ),
  ),
  repeat_seconds: optional(integer('How often notifications are repeated until the alert is acknowledged or over.')),
};

const compared = {
  comparison: word(
    COMPARISONS,
    'How the measure is compared with the value. beyond: over the value, or under its negative. crosses: it was ' +
      'on the other side of the value when it was last read.',
  ),
  value: number('What the measure is compared with.'),
  unit: word(
    RULE_UNITS,
    'Unit of the value: that of the measure. For a rate, percent is per interval of funding, whatever its length.',
  ),
  ...clearing,
};
const comparedIfMeasured = {
  comparison: optional(compared.comparison),
  value: optional(compared.value),
  unit: optional(compared.unit),
  ...clearing,
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
const newOnly = optional(
  flag(
    'For each order: whether orders that already met the condition when the rule was saved or turned on never ' +
      'raise an alert.',
  ),
);

const windowSeconds = integer('Length of the window, which ends now.');

const OrdersRule = row('OrdersRule', 'A rule about working orders.', {
  ...common,
  about: word(['orders'], 'Working orders.'),
  measure: word(wordsOf('orders'), 'What is compared.'),
  ...ofOrders,
  new_only: newOnly,
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
const FundingRule = row('FundingRule', 'A rule about the funding of one perpetual, or of each of several.', {
  ...common,
  about: word(['funding'], 'Funding.'),
  measure: word(wordsOf('funding'), 'What is compared.'),
  base_symbol: optional(text('Base symbol of the perpetual, if the rule is about one.')),
  base_symbols: optional(
    list(
      text(
        'Base symbol of a perpetual. The rule is evaluated for each of these; without them and without base_symbol, ' +
          'for each perpetual that the exchange lists as active.',
      ),
    ),
  ),
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
  required: [...(SHAPES.orders.required ?? []).filter((field) => field in common), 'about', 'measure'],
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
    ...findWrongSeconds(fields, 'repeat_seconds', LEAST_REPEAT_SECONDS),
    ...findWrongEscalation(fields),
    ...(measure === undefined ? [] : findWrongMeasure(measure, fields)),
    ...findMisplaced(fields),
    ...findWrongTiming(fields),
    ...findWrongEach(fields),
    ...findWrongSubjects(rule),
  ];
  const filters =
    rule.about === 'orders' || rule.about === 'activity'
      ? findWrongFilters(fields['filter'], rule.about, `${path}.filter`)
      : [];
  return [...wrong.map(([field, detail]) => ({ path: `${path}.${field}`, detail })), ...filters];
}

function findWrongTexts({ id, name, expression, channels, base_symbol: base }: Fields): readonly Wrong[] {
  const found: Wrong[] = [];
  if (typeof id === 'string' && !ID_PATTERN.test(id))
    found.push(['id', 'must be 1 to 64 lower-case letters, digits and hyphens, beginning with a letter or a digit']);
  if (typeof name === 'string' && !isPlain(name, LONGEST_NAME))
    found.push(['name', `must be 1 to ${String(LONGEST_NAME)} characters that can be seen`]);
  if (typeof expression === 'string' && !isPlain(expression.replaceAll(/\s/g, ' '), LONGEST_EXPRESSION))
    found.push(['expression', `must be 1 to ${String(LONGEST_EXPRESSION)} characters that can be seen`]);
  if (typeof base === 'string' && !codeGrammar.accepts(base))
    found.push(['base_symbol', `must be ${codeGrammar.sentence}`]);
  if (Array.isArray(channels) && new Set(channels).size < channels.length)
    found.push(['channels', 'must not name a channel twice']);
  return found;
}

const LEAST_REPEAT_SECONDS = 60;
const MOST_ESCALATIONS = 5;

/** Finds steps that would notify no one, or not later than the step before. */
function findWrongEscalation({ channels, escalate: steps }: Fields): readonly Wrong[] {
  if (!Array.isArray(steps)) return [];
  if (steps.length > MOST_ESCALATIONS) return [['escalate', `must have ${String(MOST_ESCALATIONS)} steps at most`]];
  const known = new Set<unknown>(Array.isArray(channels) ? channels : []);
  if (steps.length > 0 && known.size === 0)
    return [['escalate', 'must only be given for a rule that notifies a channel first']];
  let earliest = 1;
  return steps.flatMap((step: unknown, index): readonly Wrong[] => {
    const { after_seconds: seconds, channels: added } = (step ?? {}) as Fields;
    const at = `escalate[${String(index)}]`;
    const found: Wrong[] = [];
    if (typeof seconds === 'number' && (seconds < earliest || seconds > LONGEST_SECONDS))
      found.push([`${at}.after_seconds`, `must be ${String(earliest)} to ${String(LONGEST_SECONDS)}`]);
    if (typeof seconds === 'number') earliest = Math.max(earliest, seconds + 1);
    if (Array.isArray(added) && (added.length === 0 || added.some((channel) => known.has(channel))))
      found.push([`${at}.channels`, 'must name channels, none of which an earlier step or the rule names']);
    if (Array.isArray(added)) for (const channel of added) known.add(channel);
    return found;
  });
}

function isPlain(text: string, longest: number): boolean {
  return text.trim() !== '' && text.length <= longest && !hasUnseen(text);
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

/** Most products or perpetuals that a rule may list: more than an exchange lists now. */
export const MOST_LISTED = 500;

/** Finds mistakes in the products or perpetuals that a rule lists. */
function findWrongSubjects(rule: Rule): readonly Wrong[] {
  if (rule.about === 'market') {
    const { symbols, ...others } = toFields(rule.filter);
    if (symbols === undefined) return [];
    if (Object.keys(others).length > 0) return [['filter.symbols', 'must be the only field of the filter']];
    return findWrongList('filter.symbols', symbols, () => true);
  }
  if (rule.about !== 'funding') return [];
  const { base_symbol: one, base_symbols: several, against }: Fields = { ...rule };
  if (several === undefined) return [];
  if (one !== undefined) return [['base_symbols', 'must not be given together with base_symbol']];
  if (Array.isArray(several) && several.includes(against)) return [['against', 'must not be one of base_symbols']];
  return findWrongList('base_symbols', several, codeGrammar.accepts);
}

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function findWrongList(field: string, values: unknown, accepts: (text: string) => boolean): readonly Wrong[] {
  // Another type is reported already.
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) return [];
  if (values.length === 0 || values.length > MOST_LISTED)
    return [[field, `must list 1 to ${String(MOST_LISTED)} of them`]];
  if (new Set(values).size < values.length) return [[field, 'must not list one twice']];
  const wrong = values.findIndex((value) => value.trim() === '' || !accepts(value));
  return wrong === -1 ? [] : [[`${field}[${String(wrong)}]`, `must be ${codeGrammar.sentence}`]];
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
  { unit, otherUnits = [], comparisons }: Measure,
  { comparison, value, unit: given, for_seconds: seconds }: Fields,
): readonly Wrong[] {
  const found: Wrong[] = [];
  if (!comparisons.some((known) => known === comparison))
    found.push(['comparison', `must be ${comparisons.join(' or ')}`]);
  const units = [unit, ...otherUnits];
  if (!units.some((known) => known === given)) found.push(['unit', `must be ${units.join(' or ')}`]);
  if (typeof value !== 'number') found.push(['value', 'must be a number']);
  else if (value < 0 && (comparison === 'beyond' || unit !== 'percent')) found.push(['value', 'must not be negative']);
  if (comparison === 'crosses' && seconds !== 0) found.push(['for_seconds', 'must be 0: a crossing is a moment']);
  return found;
}

/** An order is a subject only of rules about working orders, and its number is always one. */
function findWrongEach({ about, measure, each, comparison, value, new_only: isNewOnly }: Fields): readonly Wrong[] {
  if (each !== 'order')
    return isNewOnly === undefined ? [] : [['new_only', 'must only be given if each order is evaluated']];
  if (about !== 'orders') return [['each', 'must not be order for what happened in a window']];
  const isCount = measure === 'count' || measure === 'twins';
  return isCount && (comparison !== 'over' || value !== 0)
    ? [['value', 'must be over 0 if each order is evaluated']]
    : [];
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
