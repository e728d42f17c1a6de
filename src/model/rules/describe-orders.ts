import type { ActivityRule, OrdersRule } from '#contract/desk/rules.ts';
import { countOf, formatCount } from '../format/count.ts';
import { formatDuration } from '../format/format-time.ts';
import { formatNumber } from '../format/number.ts';
import { type Decimal, toDecimal } from '../units/decimal.ts';
import { formatLimits } from './order-phrases.ts';
import type { SubjectReading } from './readings.ts';

type Reading = Pick<SubjectReading, 'group' | 'label' | 'holds' | 'stays' | 'value' | 'foremost' | 'because'> & {
  readonly evidence?: SubjectReading['evidence'];
};

/** Describes the result of a rule about orders for one subject: `NORD-105: 1,204 working orders, over 1,000`. */
export function describeOrders(rule: OrdersRule | ActivityRule, reading: Reading): string {
  const clause = rule.about === 'activity' ? describeActivity(rule, reading) : describeWorking(rule, reading);
  const subject = nameSubject(rule, reading);
  return subject === '' ? `${clause.charAt(0).toUpperCase()}${clause.slice(1)}` : `${subject}: ${clause}`;
}

/** Without subjects, the codes of the filter say which orders are meant. */
function nameSubject({ filter }: OrdersRule | ActivityRule, { group: subject, label }: Reading): string {
  if (subject !== '') return label ?? subject;
  const { account_id: account, clearing_member_code: firm, connection_id: connection, symbol } = filter;
  return [account, firm, connection, symbol].filter((code) => code !== undefined).join(', ');
}

function describeActivity(rule: ActivityRule, { value, ...reading }: Reading): string {
  const [one, several] = ACTIVITIES[rule.measure];
  const count = value === null ? NaN : value.toNumber();
  const events = `${formatCount(count)} ${count === 1 ? one : several} in ${formatWindow(rule.window_seconds)}`;
  return `${events}, ${judged(rule, reading, formatNumber)}`;
}

const ACTIVITIES: Readonly<Record<ActivityRule['measure'], readonly [one: string, several: string]>> = {
  placed: ['order placed', 'orders placed'],
  gone: ['order gone', 'orders gone'],
  filled: ['order filled, wholly or in part,', 'orders filled, wholly or in part,'],
};

/** `3 min`, `90 s`: exact, because it is part of the rule. */
function formatWindow(seconds: number): string {
  const [per, unit] = seconds % 86_400 === 0 ? [86_400, 'd'] : seconds % 3_600 === 0 ? [3_600, 'h'] : [60, 'min'];
  return seconds % per === 0 ? `${formatCount(seconds / per)} ${unit}` : `${formatCount(seconds)} s`;
}

function describeWorking(rule: OrdersRule, reading: Reading): string {
  if (rule.each === 'order' && reading.group !== '') return describeOne(rule, reading);
  const { value } = reading;
  if (rule.measure === 'oldest_age' || rule.measure === 'distance') return describeExtreme(rule, reading);
  if (value === null) return `${NAMES[rule.measure]}${formatLimits(rule.filter)} unknown`;
  const count = value.toNumber();
  switch (rule.measure) {
    case 'count':
      return `${countOf(count, 'working order')}${formatLimits(rule.filter)}, ${judged(rule, reading, formatNumber)}`;
    case 'twins':
      return (
        `${countOf(count, 'working order')}${formatLimits(rule.filter)} that ` +
        `${count === 1 ? 'repeats' : 'repeat'} another${nameWorst(reading, 'farthest')}, ` +
        judged(rule, reading, formatNumber)
      );
    case 'quantity':
    case 'notional':
      return (
        `${NAMES[rule.measure]}${formatLimits(rule.filter)} ${formatAmount(rule, value)}${countOrders(reading)}` +
        `${nameWorst(reading, 'largest')}, ${judged(rule, reading, (limit) => formatLimit(rule, limit))}`
      );
  }
}

function countOrders({ evidence }: Reading): string {
  const total = evidence?.total ?? 0;
  return total === 0 ? '' : ` in ${countOf(total, 'order')}`;
}

/** ` (largest PDOGUKZ50 bid 0.1131)`; of one order, only its name. */
function nameWorst({ foremost, evidence }: Reading, how: string): string {
  if (foremost === undefined) return '';
  return ` (${evidence?.total === 1 ? '' : `${how} `}${foremost})`;
}

const NAMES: Readonly<Record<Exclude<OrdersRule['measure'], 'oldest_age' | 'distance'>, string>> = {
  count: 'number of working orders',
  twins: 'number of repeated working orders',
  quantity: 'working quantity',
  notional: 'gross underlying notional',
};

/** `11 orders over 20 % away, farthest 148.05 % (PDOGUKZ50 bid 0.1131)`. */
function describeExtreme(rule: OrdersRule, reading: Reading): string {
  const { value, foremost, evidence, holds } = reading;
  const limits = formatLimits(rule.filter);
  if (value === null)
    return holds === null ? `distance or age of orders${limits} unknown` : `no working order${limits}`;
  const limit = formatBeyond(rule);
  const total = evidence?.total ?? 0;
  const which = total === 0 ? `no order${limits} ${limit}` : `${countOf(total, 'order')}${limits} ${limit}`;
  const order = foremost === undefined ? '' : ` (${foremost})`;
  return `${which}, ${EXTREMES[rule.measure]?.[rule.comparison] ?? ''} ${formatAmount(rule, value)}${order}${doubtOf(reading)}`;
}

const EXTREMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  oldest_age: { over: 'oldest' },
  distance: { over: 'farthest', under: 'nearest' },
};

function formatBeyond(rule: OrdersRule): string {
  const limit = formatLimit(rule, toDecimal(String(rule.value)));
  return rule.measure === 'oldest_age' ? `older than ${limit}` : `${rule.comparison} ${limit} away`;
}

/** Describes one order: `148.05 % from the market, over 20 %`. */
function describeOne(rule: OrdersRule, reading: Reading): string {
  const { value, holds } = reading;
  if (value === null) return holds === false ? 'no longer meets the condition' : 'unknown';
  const amount = formatAmount(rule, value);
  const verdict = judged(rule, reading, (limit) => formatLimit(rule, limit));
  switch (rule.measure) {
    case 'count':
      return holds === true ? 'matches' : 'no longer matches';
    case 'twins':
      return holds === true ? 'repeats another working order' : 'repeats no other working order';
    case 'oldest_age':
      return `accepted ${amount} ago, ${verdict}`;
    case 'distance':
      return `${amount} from the market, ${verdict}`;
    case 'quantity':
    case 'notional':
      return `${NAMES[rule.measure]} ${amount}, ${verdict}`;
  }
}

/** Describes how the value compares with the limit: `over 40`, or `still over 30` if that value clears the alert. */
function judged(
  rule: OrdersRule | ActivityRule,
  { holds, stays }: Pick<Reading, 'holds' | 'stays'>,
  format: (limit: Decimal) => string,
): string {
  const { comparison, value, clear_value: clear = value } = rule;
  if (holds === null) return 'which cannot be compared';
  if (!holds && stays === true) return `still ${comparison} ${format(toDecimal(String(clear)))}`;
  return `${holds ? '' : 'not '}${comparison} ${format(toDecimal(String(value)))}`;
}

function doubtOf({ holds, stays }: Reading): string {
  if (holds === null) return ', which cannot be compared';
  return !holds && stays === true ? ', not yet cleared' : '';
}

/** Figures have the digits that lists of orders show. */
function formatAmount({ measure }: OrdersRule, value: Decimal): string {
  switch (measure) {
    case 'oldest_age':
      return formatDuration(value.toNumber());
    case 'distance':
      return `${formatNumber(value, { digits: 2 })} %`;
    case 'notional':
      return `${formatNumber(value, { digits: 0 })} USD`;
    default:
      return `${formatNumber(value)} contracts`;
  }
}

/** Limits are shown as they were entered, with all of their digits. */
function formatLimit(rule: OrdersRule, limit: Decimal): string {
  if (rule.measure === 'oldest_age') return formatWindow(limit.toNumber());
  return rule.measure === 'distance' ? `${formatNumber(limit)} %` : `${formatNumber(limit)} ${rule.unit}`;
}
