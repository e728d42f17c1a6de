import type { Rule } from '#contract/desk/rules.ts';
import { findMeasure, type RuleUnit } from '#contract/desk/rule-measures.ts';
import { countOf } from '../format/count.ts';
import { formatNumber } from '../format/number.ts';
import { toDecimal, type Decimal } from '../units/decimal.ts';
import type { SubjectReading } from './readings.ts';
import { isGrouped, nounOfSubjects } from './rule-subjects.ts';

/** Fraction digits by unit; other units have none. */
const DIGITS: Partial<Record<RuleUnit, number>> = { percent: 4, USD: 0, minutes: 1, seconds: 0 };

/** A count of orders needs no suffix: the measure names what is counted. */
const SUFFIXES: Readonly<Record<RuleUnit, string>> = {
  orders: '',
  contracts: ' contracts',
  USD: ' USD',
  seconds: ' s',
  percent: ' %',
  minutes: ' min',
};

/** Describes a rule's result for one subject: `Working orders of NORD-105: 1,204, over 1,000.` */
export function describeReading(
  rule: Rule,
  { group, holds, value, because }: Pick<SubjectReading, 'group' | 'holds' | 'value' | 'because'>,
): string {
  const subject = nameSubject(rule, group);
  const found = value === null ? '' : `: ${formatValue(value, unitOf(rule))}`;
  const verdict = holds === null ? 'cannot be compared' : describeVerdict(rule, holds);
  const sentence = `${subject}${found}${verdict === '' ? '' : `${found === '' ? ':' : ','} ${verdict}`}.`;
  return because === null ? sentence : `${sentence} ${because}`;
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
export function describeDataAgain(
  rule: Rule,
  reading: Pick<SubjectReading, 'group' | 'holds' | 'value' | 'because'>,
  firing: readonly string[],
  isPending: boolean,
): string {
  const { group: subject } = reading;
  const isWhole = subject === '' && isGrouped(rule);
  const result =
    firing.length > 0 ? `${describeFiring(rule, firing)}.` : `nothing is firing${isPending ? ' yet' : ''}.`;
  return (
    `${rule.name} can be evaluated${ofSubject(subject)}; ` +
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

/** Describes that it is no longer known whether the condition holds. */
export function describeEnded(rule: Rule, subject: string): string {
  return `${rule.name} is no longer evaluated${ofSubject(subject)}: the rule was changed, turned off or deleted.`;
}

function ofSubject(subject: string): string {
  return subject === '' ? '' : ` for ${subject}`;
}

function nameSubject(rule: Rule, subject: string): string {
  return `${nameMeasure(rule)}${subject === '' ? '' : ` of ${subject}`}`;
}

function describeVerdict(rule: Rule, holds: boolean): string {
  const limit = describeLimit(rule);
  if (limit === '') return holds ? '' : 'no';
  return holds ? limit : `not ${limit}`;
}

/** Formats the limit: `over 1,000`. Empty for a measure without a value. */
function describeLimit(rule: Rule): string {
  const { comparison, value, unit } = rule as {
    readonly comparison?: string;
    readonly value?: number;
    readonly unit?: RuleUnit;
  };
  if (comparison === undefined || value === undefined || unit === undefined) return '';
  const limit = formatLimit(value, unit);
  return comparison === 'beyond' ? `beyond ±${limit}` : `${comparison} ${limit}`;
}

function nameMeasure(rule: Rule): string {
  const name = findMeasure(rule.about, rule.measure)?.name ?? rule.measure;
  if (rule.about === 'desk') return rule.data === undefined ? name : `${name} of ${rule.data.replace('-', ' ')}`;
  if (rule.about !== 'funding' || rule.measure === 'time_left') return name;
  return rule.against === undefined
    ? `${name} of ${rule.base_symbol}`
    : `${name} of ${rule.base_symbol} and ${rule.against}`;
}

function unitOf(rule: Rule): RuleUnit | null {
  return rule.measure === 'flip' ? 'percent' : (findMeasure(rule.about, rule.measure)?.unit ?? null);
}

function formatValue(value: Decimal, unit: RuleUnit | null): string {
  return unit === null ? formatNumber(value) : formatNumber(value.toDecimalPlaces(DIGITS[unit] ?? 0)) + SUFFIXES[unit];
}

/** Shows the limit as entered, with all of its digits. */
function formatLimit(value: number, unit: RuleUnit): string {
  return formatNumber(toDecimal(String(value))) + SUFFIXES[unit];
}
