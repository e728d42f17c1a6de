import type { Alert } from '#contract/desk/alerts.ts';
import type { RuleUnit } from '#contract/desk/rule-measures.ts';
import { formatDayIn, formatInstant, formatTimeOfDay, type Zone } from '../../format/format-time.ts';
import { NO_VALUE } from '../../format/number.ts';
import { formatValue } from '../../rules/describe-rule.ts';
import { toBadness, toExcess } from '../../rules/alert-tabs.ts';
import { toDecimal } from '../../units/decimal.ts';
import type { GridColumn, GridState, SortLevel } from '../grid.ts';

/** By what alerts are listed. */
export const ALERT_SORTS = ['worst', 'newest', 'rule', 'subject'] as const;
export type AlertSort = (typeof ALERT_SORTS)[number];

const WORST: readonly SortLevel[] = [
  { id: 'severity', desc: true },
  { id: 'excess', desc: true },
  { id: 'since', desc: true },
];

/** What is sorted by subject is grouped by it: an account may have alerts of several rules. */
export const ALERT_ORDERS: Readonly<Record<AlertSort, Pick<GridState, 'sorts' | 'grouping'>>> = {
  worst: { sorts: WORST, grouping: ['rule'] },
  newest: { sorts: [{ id: 'since', desc: true }], grouping: ['rule'] },
  rule: { sorts: [{ id: 'rule', desc: false }, ...WORST], grouping: ['rule'] },
  subject: { sorts: [{ id: 'subject', desc: false }, ...WORST], grouping: ['subject'] },
};

const MARKS: Readonly<Record<string, string>> = { critical: '◆', warning: '▲', info: '●' };

/** Returns the value with its unit. Funding is named by its rules, whose units are the same. */
export function formatAlertValue({ value, unit }: Pick<Alert, 'value' | 'unit'>): string {
  return value === null ? NO_VALUE : formatValue(toDecimal(value), unit as RuleUnit | null, null);
}

/** Names the subject; a rule may be about all of them together. */
export function nameSubject({ group: subject, label = subject }: Pick<Alert, 'group' | 'label'>): string {
  return subject === '' ? 'all together' : label;
}

/** Says what the state of an alert is, who takes care of it, and why no notification is sent. */
function describeState(alert: Alert, zone: Zone): string {
  const { acknowledged, silenced_until: until } = alert;
  return [
    alert.state,
    ...(alert.flapping ? ['flapping'] : []),
    ...(acknowledged === null ? [] : [`acknowledged, ${acknowledged.assignee ?? acknowledged.by}`]),
    ...(until === null ? [] : [`silenced until ${formatTimeOfDay(Date.parse(until), zone)}`]),
    ...(alert.inhibited_because === null ? [] : [`muted: ${alert.inhibited_because}`]),
    ...(alert.notes.length === 0 ? [] : [alert.notes.length === 1 ? '1 note' : `${String(alert.notes.length)} notes`]),
  ].join(' · ');
}

interface ColumnOptions {
  readonly zone: Zone;
  /** The day of the response, in the zone: only other days are written. */
  readonly today: string;
  readonly isNarrow: boolean;
  /** Draws the tick box, whose text this is. */
  readonly tick: Pick<GridColumn<Alert>, 'draw' | 'watch' | 'text'>;
}

export function createAlertColumns({ zone, today, isNarrow, tick }: ColumnOptions): readonly GridColumn<Alert>[] {
  const toTime = (instant: number): string =>
    formatDayIn(instant, zone) === today ? formatTimeOfDay(instant, zone) : formatInstant(instant, zone);
  const severity: GridColumn<Alert> = {
    ...{ id: 'severity', title: 'Severity', kind: 'text', width: 90 },
    text: (row) => `${MARKS[row.severity] ?? '·'} ${row.severity}`,
    value: toBadness,
    tone: (row) => (row.state === 'firing' ? (row.severity === 'critical' ? 'failed' : 'attention') : 'quiet'),
    subtotal: (rows) => {
      const worst = findWorst(rows);
      // Of rules that are equally bad, the one with the most alerts comes first.
      return worst === null
        ? { value: null, text: '' }
        : { value: toBadness(worst) + rows.length / 1e6, text: isNarrow ? '' : severity.text(worst) };
    },
  };
  const since: GridColumn<Alert> = {
    ...{ id: 'since', title: 'Since', kind: 'text', width: 130 },
    groupedUnit: () => 'newest',
    text: ({ since: at }) => toTime(Date.parse(at)),
    value: ({ since: at }) => Date.parse(at),
    subtotal: (rows) => {
      const newest = Math.max(...rows.map(({ since: at }) => Date.parse(at)));
      return { value: newest, text: isNarrow ? '' : toTime(newest) };
    },
  };
  const value: GridColumn<Alert> = {
    ...{ id: 'value', title: 'Value', kind: 'number', width: isNarrow ? 116 : 200 },
    groupedUnit: () => 'worst',
    text: formatAlertValue,
    value: (row) => (row.value === null ? null : Number(row.value)),
    subtotal: (rows) => {
      const worst = findWorst(rows);
      const text =
        worst === null || isNarrow ? '' : [worst.label ?? worst.group, formatAlertValue(worst)].join(' ').trim();
      return { value: worst === null ? null : Number(worst.value), text };
    },
  };
  const limit: GridColumn<Alert> = {
    ...{ id: 'limit', title: 'Limit', kind: 'number', width: 150 },
    text: (row) => row.limit ?? NO_VALUE,
    value: (row) => row.limit,
    tone: () => 'quiet',
  };
  const state: GridColumn<Alert> = {
    ...{ id: 'state', title: 'State', kind: 'text', width: 300 },
    text: (row) => describeState(row, zone),
    value: (row) => row.state,
    tone: () => 'quiet',
  };
  return [
    {
      ...{ id: 'tick', title: 'Ticked', titleHidden: true, kind: 'text', width: 32, unsorted: true, ...tick },
      value: () => null,
    },
    {
      ...{ id: 'subject', title: 'Rule and subject', kind: 'text', width: isNarrow ? 140 : 290 },
      text: nameSubject,
      value: nameSubject,
    },
    ...[value, limit, severity, since, state],
    {
      ...{ id: 'rule', title: 'Rule', kind: 'text', width: 220, hidden: true },
      text: ({ rule_name: name }) => name,
      // Rules may share a name.
      value: ({ rule_name: name, rule_id: id }) => `${name}\n${id}`,
    },
    {
      ...{ id: 'excess', title: 'Past its limit', kind: 'number', width: 90, hidden: true },
      text: (row) => String(toExcess(row) ?? NO_VALUE),
      value: toExcess,
    },
  ];
}

function findWorst(rows: readonly Alert[]): Alert | null {
  return rows.reduce<Alert | null>((worst, row) => (worst === null || isWorse(row, worst) ? row : worst), null);
}

function isWorse(a: Alert, b: Alert): boolean {
  return toBadness(a) - toBadness(b) > 0 || (toBadness(a) === toBadness(b) && (toExcess(a) ?? 0) > (toExcess(b) ?? 0));
}
