import type { Rule } from '#contract/desk/rules.ts';
import { findMeasure, type RuleUnit } from '#contract/desk/rule-measures.ts';
import { countOf } from '../format/count.ts';
import { formatNumber } from '../format/number.ts';
import { toDecimal, type Decimal } from '../units/decimal.ts';
import type { SubjectReading } from './readings.ts';
import { describeOrders } from './describe-orders.ts';
import { isGrouped, isOfOrders, nounOfSubjects } from './rule-subjects.ts';

/** Fraction digits by unit; other units have none. */
const DIGITS: Partial<Record<RuleUnit, number>> = {
  'percent': 2,
  'percent per 8 h': 4,
  'percent APR': 2,
  'minutes': 1,
};
/** A rate of funding is so small that it needs more. */
const RATE_DIGITS = 4;

/** A count of orders needs no suffix: the measure names what is counted. */
const SUFFIXES: Readonly<Record<RuleUnit, string>> = {
  'orders': '',
  'contracts': ' contracts',
  'USD': ' USD',
  'seconds': ' s',
  'percent': ' %',
  'percent per 8 h': ' % per 8 h',
  'percent APR': ' % APR',
  'minutes': ' min',
};

/** A quotient has as many digits as the arithmetic keeps, of which these suffice for rates in percent. */
const VALUE_DIGITS = 12;

/** Writes a value for programs; null if there is none. */
export function writeValue(value: Decimal | null | undefined): string | null {
  return value?.toDecimalPlaces(VALUE_DIGITS).toFixed() ?? null;
}

/** A result of a rule, as far as a sentence about it needs it. */
type Result = Pick<SubjectReading, 'group' | 'holds' | 'value' | 'because'> & Partial<SubjectReading>;

/** Describes a rule's result for one subject: `NORD-105: 1,204 working orders, over 1,000.` */
export function describeReading(rule: Rule, result: Result): string {
  const { because } = result;
  const sentence = result.sentence === undefined ? `${composeSentence(rule, result)}.` : describeOwn(result);
  return because === null ? sentence : `${sentence} ${because}`;
}

/** A sentence of the rule's own compares with the limit to fire. */
function describeOwn({ sentence = '', holds, stays }: Result): string {
  return holds === false && stays === true ? `${sentence} It is not yet cleared.` : sentence;
}

function composeSentence(rule: Rule, result: Result): string {
  if (result.group === '' && isGrouped(rule)) return rule.name;
  return isOfOrders(rule) ? describeOrders(rule, result) : describeOther(rule, result);
}

function describeOther(rule: Rule, { group: subject, holds, stays, value }: Result): string {
  const found = value === null ? '' : `: ${formatValue(value, unitOf(rule), rule.about)}`;
  const verdict =
    holds === null ? 'cannot be compared' : !holds && stays === true ? 'not yet cleared' : describeVerdict(rule, holds);
  return `${nameSubject(rule, subject)}${found}${verdict === '' ? '' : `${found === '' ? ':' : ','} ${verdict}`}`;
}

/** Describes a corrected result: orders that had been counted as gone are listed again. */
export function describeCorrection(rule: Rule, reading: SubjectReading, orders: number): string {
  return (
    `${describeReading(rule, reading)} ${countOf(orders, 'order')} missing from an incomplete list ` +
    `${orders === 1 ? 'is' : 'are'} listed again.`
  );
}

/** Describes why a rule has no result. */
export function describeMissing(rule: Rule, subject: string, missing: string): string {
  return `${rule.name} cannot be evaluated${ofSubject(subject)}. ${missing}`;
}

const MOST_NAMES = 10;

/**
 * Describes that data are available again. This is no all-clear, so it lists the subjects that fire. `isPending`:
 * others already meet the condition.
 */
export function describeDataAgain(rule: Rule, reading: Result, firing: readonly string[], isPending: boolean): string {
  const { group: subject, label = subject } = reading;
  const isWhole = subject === '' && isGrouped(rule);
  const result =
    firing.length > 0 ? `${describeFiring(rule, firing)}.` : `nothing is firing${isPending ? ' yet' : ''}.`;
  return (
    `${rule.name} can be evaluated${ofSubject(label)}; ` +
    `${result}${isWhole ? '' : ` ${describeReading(rule, reading)}`}`
  );
}

function describeFiring(rule: Rule, firing: readonly string[]): string {
  const noun = nounOfSubjects(rule);
  if (noun === null) return 'it is firing';
  const more = firing.length - MOST_NAMES;
  const names = firing.toSorted().slice(0, MOST_NAMES).join(', ');
  return (
    `${countOf(firing.length, noun)} ${firing.length === 1 ? 'is' : 'are'} firing: ` +
    `${names}${more > 0 ? ` and ${String(more)} more` : ''}`
  );
}

/** Describes that it is no longer known whether the condition holds. `outside`: until when the rule is outside its hours. */
export function describeEnded(rule: Rule, subject: string, outside: string | null): string {
  const why = outside ?? 'the rule was changed, turned off or deleted';
  return `${rule.name} is no longer evaluated${ofSubject(subject)}: ${why}.`;
}

/** Describes that a channel was removed from a rule whose alert it was notified of. */
export function describeRemoval(rule: Rule, subject: string): string {
  return `${rule.name} no longer notifies this channel${subject === '' ? '' : ` of ${subject}`}. The alert is still open.`;
}

function ofSubject(subject: string): string {
  return subject === '' ? '' : ` for ${subject}`;
}

function nameSubject(rule: Rule, subject: string): string {
  return `${nameMeasure(rule)}${subject === '' ? '' : ` of ${subject}`}`;
}

/** `over 1,000`, or `not over 1,000`. */
export function describeVerdict(rule: Rule, holds: boolean): string {
  const limit = describeLimit(rule);
  if (limit === '') return holds ? '' : 'no';
  return holds ? limit : `not ${limit}`;
}

/** Formats the limit: `over 1,000`. Empty for a measure without a value. */
export function describeLimit(rule: Rule): string {
  const { comparison, value, unit } = rule as {
    readonly comparison?: string;
    readonly value?: number;
    readonly unit?: RuleUnit;
  };
  if (comparison === undefined || value === undefined || unit === undefined) return '';
  const limit = formatLimit(value, unit);
  return comparison === 'beyond' ? `beyond ±${limit}` : `${comparison} ${limit}`;
}

export function nameMeasure(rule: Rule): string {
  const name = findMeasure(rule.about, rule.measure)?.name ?? rule.measure;
  return rule.about === 'desk' && rule.data !== undefined ? `${name} of ${rule.data.replace('-', ' ')}` : name;
}

/** Returns the unit of a rule’s values; null if they have none. */
export function unitOf(rule: Rule): RuleUnit | null {
  if (rule.measure === 'flip') return 'percent';
  return ('unit' in rule ? rule.unit : undefined) ?? findMeasure(rule.about, rule.measure)?.unit ?? null;
}

export function formatValue(value: Decimal, unit: RuleUnit | null, about: Rule['about'] | null): string {
  if (unit === null) return formatNumber(value);
  const digits = about === 'funding' && unit === 'percent' ? RATE_DIGITS : (DIGITS[unit] ?? 0);
  return formatNumber(value.toDecimalPlaces(digits)) + SUFFIXES[unit];
}

/** Shows the limit as entered, with all of its digits. */
function formatLimit(value: number, unit: RuleUnit): string {
  return formatNumber(toDecimal(String(value))) + SUFFIXES[unit];
}
