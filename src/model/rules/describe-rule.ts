import type { Rule } from '#contract/desk/rules.ts';
import { findMeasure, type RuleUnit } from '#contract/desk/rule-measures.ts';
import { countOf } from '../format/count.ts';
import { formatNumber } from '../format/number.ts';
import { toDecimal, type Decimal } from '../units/decimal.ts';
import type { GroupReading } from './readings.ts';
import { isGrouped, nounOfGroups } from './rule-groups.ts';

/** Fraction digits of a value; others are counted whole. */
const DIGITS: Partial<Record<RuleUnit, number>> = { percent: 4, USD: 0, minutes: 1, seconds: 0 };

/** Of a count of orders, the measure itself names what is counted. */
const SUFFIXES: Readonly<Record<RuleUnit, string>> = {
  orders: '',
  contracts: ' contracts',
  USD: ' USD',
  seconds: ' s',
  percent: ' %',
  minutes: ' min',
};

/** What a rule says of one group: `Working orders of NORD-105: 1,204, over 1,000.` */
export function describeReading(
  rule: Rule,
  { group, holds, value, because }: Pick<GroupReading, 'group' | 'holds' | 'value' | 'because'>,
): string {
  const subject = nameSubject(rule, group);
  const found = value === null ? '' : `: ${formatValue(value, unitOf(rule))}`;
  const verdict = holds === null ? 'cannot be compared' : describeVerdict(rule, holds);
  const sentence = `${subject}${found}${verdict === '' ? '' : `${found === '' ? ':' : ','} ${verdict}`}.`;
  return because === null ? sentence : `${sentence} ${because}`;
}

/** What a rule says after all: so many orders that it was found to be without are listed again. */
export function describeCorrection(rule: Rule, reading: GroupReading, orders: number): string {
  return `${describeReading(rule, reading)} ${countOf(orders, 'order')} missing from an incomplete list ${orders === 1 ? 'is' : 'are'} listed again.`;
}

/** Why a rule says nothing. */
export function describeMissing(rule: Rule, group: string, missing: string): string {
  return `${rule.name} cannot be evaluated${ofGroup(group)}. ${missing}`;
}

const MOST_NAMES = 10;

/** That there are data again, which is no all-clear: it says what fires. `firing`: its groups that do. `isPending`: others hold already. */
export function describeDataAgain(
  rule: Rule,
  reading: Pick<GroupReading, 'group' | 'holds' | 'value' | 'because'>,
  firing: readonly string[],
  isPending: boolean,
): string {
  const { group } = reading;
  const isWhole = group === '' && isGrouped(rule);
  const result =
    firing.length > 0 ? `${describeFiring(rule, firing)}.` : `nothing is firing${isPending ? ' yet' : ''}.`;
  return `${rule.name} can be evaluated${ofGroup(group)}; ${result}${isWhole ? '' : ` ${describeReading(rule, reading)}`}`;
}

function describeFiring(rule: Rule, firing: readonly string[]): string {
  const noun = nounOfGroups(rule);
  if (noun === null) return 'it is firing';
  const more = firing.length - MOST_NAMES;
  const names = firing.toSorted().slice(0, MOST_NAMES).join(', ');
  return `${countOf(firing.length, noun)} ${firing.length === 1 ? 'is' : 'are'} firing: ${names}${more > 0 ? ` and ${String(more)} more` : ''}`;
}

/** That nobody knows any more whether it holds. */
export function describeEnded(rule: Rule, group: string): string {
  return `${rule.name} is no longer evaluated${ofGroup(group)}: the rule was changed, turned off or deleted.`;
}

function ofGroup(group: string): string {
  return group === '' ? '' : ` for ${group}`;
}

function nameSubject(rule: Rule, group: string): string {
  return `${nameMeasure(rule)}${group === '' ? '' : ` of ${group}`}`;
}

function describeVerdict(rule: Rule, holds: boolean): string {
  const limit = describeLimit(rule);
  if (limit === '') return holds ? '' : 'no';
  return holds ? limit : `not ${limit}`;
}

/** `over 1,000`; empty for a measure that is either so or not. */
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

/** As it was written, however many digits. */
function formatLimit(value: number, unit: RuleUnit): string {
  return formatNumber(toDecimal(String(value))) + SUFFIXES[unit];
}
