import type { Rule } from '#contract/desk/rules.ts';
import { countOf } from '../format/count.ts';
import { listLimits, nameKinds } from './order-phrases.ts';
import { formatClearing, formatSpan, plain, type SentencePart, slot, toCondition } from './rule-condition.ts';
import { describeHours } from './rule-hours.ts';

/**
 * Describes a rule as a sentence, in parts: a form lets the user edit each part that represents a field.
 * `areHolidaysKnown`: left out where that is unknown.
 */
export function toRuleSentence(rule: Rule, areHolidaysKnown?: boolean): readonly SentencePart[] {
  const scope = toScope(rule);
  return [
    ...scope,
    plain(scope.length === 0 ? 'When ' : 'when '),
    ...toCondition(rule),
    ...toLasting(rule),
    plain(', raise '),
    ...toConsequence(rule),
    plain('.'),
    ...toTiming(rule, areHolidaysKnown),
  ];
}

export function describeRule(rule: Rule, areHolidaysKnown?: boolean): string {
  return toRuleSentence(rule, areHolidaysKnown)
    .map(({ text }) => text)
    .join('');
}

/** Describes which orders a rule is about; empty if it is about all of them. */
function toScope(rule: Rule): readonly SentencePart[] {
  if (rule.about !== 'orders' && rule.about !== 'activity') return [];
  const phrases = PHRASES.flatMap(([field, phrase]) => {
    const code = rule.filter[field];
    return code === undefined ? [] : [`${phrase} ${code}`];
  });
  const [kinds, limits] = [nameKinds(rule.filter), listLimits(rule.filter)];
  const scope = [
    ...(phrases.length === 0 ? [] : [plain(' '), slot('filter', phrases.join(' '))]),
    ...(limits.length === 0 ? [] : [plain(' '), slot('limits', listNames(limits))]),
    ...(rule.expression === undefined ? [] : [plain(' where '), slot('expression', rule.expression)]),
  ];
  if (kinds !== '') return [plain('Among '), slot('filter.kinds', kinds), ...scope, plain(': ')];
  return scope.length === 0 ? [] : [plain('Among orders'), ...scope, plain(': ')];
}

const PHRASES = [
  ['product_type', 'of type'],
  ['symbol', 'in'],
  ['product_id', 'in product'],
  ['account_id', 'of account'],
  ['clearing_member_code', 'through firm'],
  ['connection_id', 'over connection'],
] as const;

/** Describes in sentences of their own when the rule is evaluated, when its alerts end, and how often it notifies. */
function toTiming(rule: Rule, areHolidaysKnown: boolean | undefined): readonly SentencePart[] {
  const { keep_seconds: keep, at_most_every_seconds: every, hours } = rule;
  const clearing = formatClearing(rule);
  return [
    ...(clearing === null ? [] : [plain(' It clears '), slot('clear_value', clearing), plain('.')]),
    ...(keep === undefined || keep === 0
      ? []
      : [plain(' It keeps firing for '), slot('keep_seconds', formatSpan(keep)), plain('.')]),
    ...(every === undefined || every === 0
      ? []
      : [plain(' Each alert notifies at most once in '), slot('at_most_every_seconds', formatSpan(every)), plain('.')]),
    ...(hours === undefined
      ? []
      : [plain(' It is evaluated '), slot('hours', describeHours(hours, areHolidaysKnown)), plain('.')]),
  ];
}

function toLasting({ for_seconds: seconds }: Rule): readonly SentencePart[] {
  return seconds === 0 ? [] : [plain(' for '), slot('for_seconds', formatSpan(seconds))];
}

const ALERTS: Readonly<Record<Rule['severity'], string>> = {
  info: 'an info alert',
  warning: 'a warning',
  critical: 'a critical alert',
};

function toConsequence(rule: Rule): readonly SentencePart[] {
  const { severity, channels } = rule;
  const alert = [slot('severity', ALERTS[severity]), ...toEachOrder(rule)];
  if (channels.length === 0) return alert;
  return [...alert, plain(' and notify '), slot('channels', listNames(channels)), ...toLater(rule)];
}

function toEachOrder(rule: Rule): readonly SentencePart[] {
  if (rule.about !== 'orders' || rule.each !== 'order') return [];
  return rule.new_only === true
    ? [plain(' for each '), slot('new_only', 'new'), plain(' '), slot('each', 'order')]
    : [plain(' for '), slot('each', 'each order')];
}

/** Describes which channels it notifies later, and how often again. */
function toLater({ escalate = [], repeat_seconds: repeat }: Rule): readonly SentencePart[] {
  const steps = escalate.flatMap(({ after_seconds: seconds, channels }, index) => [
    plain(index === 0 ? '; until it is acknowledged, also ' : ', then '),
    slot('escalate', `${listNames(channels)} after ${formatSpan(seconds)}`),
  ]);
  if (repeat === undefined) return steps;
  const begin = steps.length === 0 ? '; until it is acknowledged, ' : ', and ';
  return [...steps, plain(`${begin}again `), slot('repeat_seconds', `every ${formatSpan(repeat)}`)];
}

/** `a`, `a and b`, `a, b and c`. */
function listNames(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** Describes how often the rule would have fired. */
export function describeFirings(count: number): string {
  return count === 0
    ? 'it would not have fired'
    : `it would have fired ${count === 1 ? 'once' : count === 2 ? 'twice' : countOf(count, 'time')}`;
}

/** Describes what a trial on a record cannot know; null if there is nothing. */
export function describeUnread(
  gaps: readonly { readonly from: number; readonly to: number }[],
  formatDuration: (seconds: number) => string,
  { name, has }: { readonly name: string; readonly has: string },
): string | null {
  if (gaps.length === 0) return null;
  const length = formatDuration(gaps.reduce((sum, { from, to }) => sum + (to - from), 0) / 1_000);
  const subject = `${name.charAt(0).toUpperCase()}${name.slice(1)} ${has}`;
  if (gaps.length === 1)
    return (
      `${subject} a gap of ${length} in this period: what happened in it is unknown, and the ` +
      'time the rule has held is counted from zero after it.'
    );
  return (
    `${subject} ${countOf(gaps.length, 'gap')} in this period, ${length} in all: what happened ` +
    'in them is unknown, and the time the rule has held is counted from zero after each.'
  );
}
