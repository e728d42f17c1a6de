import type { Rule } from '#contract/desk/rules.ts';
import { countOf } from '../format/count.ts';
import { formatSpan, plain, type SentencePart, slot, toCondition } from './rule-condition.ts';

/** Describes a rule as a sentence, in parts: a form lets the user edit each part that represents a field. */
export function toRuleSentence(rule: Rule): readonly SentencePart[] {
  const scope = toScope(rule);
  return [
    ...scope,
    plain(scope.length === 0 ? 'When ' : 'when '),
    ...toCondition(rule),
    ...toLasting(rule),
    plain(', raise '),
    ...toConsequence(rule),
    plain('.'),
  ];
}

export function describeRule(rule: Rule): string {
  return toRuleSentence(rule)
    .map(({ text }) => text)
    .join('');
}

/** Describes which orders a rule is about; empty if it is about all of them. */
function toScope(rule: Rule): readonly SentencePart[] {
  if (rule.about !== 'orders' && rule.about !== 'activity') return [];
  const {
    symbol,
    product_id: id,
    product_type: type,
    account_id: account,
    clearing_member_code: firm,
    connection_id: connection,
  } = rule.filter;
  const phrases = [
    ...(type === undefined ? [] : [`of type ${type}`]),
    ...(symbol === undefined ? [] : [`in ${symbol}`]),
    ...(id === undefined ? [] : [`in product ${id}`]),
    ...(account === undefined ? [] : [`of account ${account}`]),
    ...(firm === undefined ? [] : [`through firm ${firm}`]),
    ...(connection === undefined ? [] : [`over connection ${connection}`]),
  ];
  const filter = phrases.length === 0 ? [] : [plain(' '), slot('filter', phrases.join(' '))];
  const expression = rule.expression === undefined ? [] : [plain(' where '), slot('expression', rule.expression)];
  const scope = [...filter, ...expression];
  return scope.length === 0 ? [] : [plain('Among orders'), ...scope, plain(': ')];
}

function toLasting({ for_seconds: seconds }: Rule): readonly SentencePart[] {
  return seconds === 0 ? [] : [plain(' for '), slot('for_seconds', formatSpan(seconds))];
}

const ALERTS: Readonly<Record<Rule['severity'], string>> = {
  info: 'an info alert',
  warning: 'a warning',
  critical: 'a critical alert',
};

function toConsequence({ severity, channels }: Rule): readonly SentencePart[] {
  const alert = slot('severity', ALERTS[severity]);
  return channels.length === 0 ? [alert] : [alert, plain(' and notify '), slot('channels', listNames(channels))];
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

/** Describes what a trial cannot know; null if there is nothing. */
export function describeUnread(
  gaps: readonly { readonly from: number; readonly to: number }[],
  formatDuration: (seconds: number) => string,
): string | null {
  if (gaps.length === 0) return null;
  const length = formatDuration(gaps.reduce((sum, { from, to }) => sum + (to - from), 0) / 1_000);
  if (gaps.length === 1)
    return (
      `The journal has a gap of ${length} in this period: what happened in it is unknown, and the ` +
      'time the rule has held is counted from zero after it.'
    );
  return (
    `The journal has ${countOf(gaps.length, 'gap')} in this period, ${length} in all: what happened ` +
    'in them is unknown, and the time the rule has held is counted from zero after each.'
  );
}
