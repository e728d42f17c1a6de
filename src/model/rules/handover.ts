import type { Alert, DeskAlerts, Silence } from '#contract/desk/alerts.ts';
import type { DeskJournal } from '#contract/desk/journal.ts';
import type { NotificationDelivery } from '#contract/desk/notifications.ts';
import { countOf } from '../format/count.ts';
import { formatDuration, formatInstant, type Zone } from '../format/format-time.ts';
import { compareAlerts, isOver } from './alert-summary.ts';

/** What one shift leaves to the next. */
export interface Handover {
  /** In epoch milliseconds, like all times here. */
  readonly from: number;
  readonly to: number;
  readonly note: DeskAlerts['shift_note'];
  /** Alerts that fire, have no data or may fire soon, the worst first. */
  readonly open: readonly Alert[];
  /** Those that end in the next shift, if it is as long as this one. */
  readonly silences: readonly Silence[];
  /** The number of silences that end later. */
  readonly laterSilences: number;
  /** Null if that is unknown. */
  readonly gaps: DeskJournal['gaps'] | null;
  /** Deliveries that failed; null if that is unknown, or if the viewer may not see it. */
  readonly failed: readonly NotificationDelivery[] | null;
}

interface HandoverInputs {
  readonly from: number;
  readonly to: number;
  readonly alerts: DeskAlerts;
  readonly gaps: DeskJournal['gaps'] | null;
  readonly deliveries: readonly NotificationDelivery[] | null;
}

export function toHandover({ from, to, alerts, gaps, deliveries }: HandoverInputs): Handover {
  const isWithin = (at: string): boolean => Date.parse(at) >= from && Date.parse(at) < to;
  const byEnd = alerts.silences.toSorted((a, b) => Date.parse(a.until) - Date.parse(b.until));
  const silences = byEnd.filter(({ until }) => Date.parse(until) <= to + (to - from));
  return {
    from,
    to,
    note: alerts.shift_note?.text === '' ? null : alerts.shift_note,
    open: alerts.alerts.filter((alert) => !isOver(alert)).toSorted(compareAlerts),
    silences,
    laterSilences: byEnd.length - silences.length,
    gaps: gaps?.filter((gap) => Date.parse(gap.to) > from && Date.parse(gap.from) < to) ?? null,
    failed: deliveries?.filter(({ at, outcome }) => outcome !== 'delivered' && isWithin(at)) ?? null,
  };
}

/** `39 open alerts: 36 firing, 3 no data`. */
export function describeOpen(open: readonly Alert[]): string {
  const counts = [...Map.groupBy(open, ({ state }) => state)].map(([state, own]) => `${String(own.length)} ${state}`);
  return open.length === 0 ? 'No open alerts' : `${countOf(open.length, 'open alert')}: ${counts.join(', ')}`;
}

/** Says in a line what people did with an alert; empty if nothing. */
export function describeCare({ acknowledged, notes }: Pick<Alert, 'acknowledged' | 'notes'>): string {
  return [
    ...(acknowledged === null
      ? []
      : [
          `acknowledged by ${acknowledged.by}` +
            (acknowledged.assignee === undefined || acknowledged.assignee === acknowledged.by
              ? ''
              : `, for ${acknowledged.assignee}`) +
            (acknowledged.note === '' ? '' : `: “${acknowledged.note}”`),
        ]),
    ...notes.map(({ by, text }) => `${by}: “${text}”`),
  ].join('; ');
}

/** Writes the handover as plain text, for a mail or a chat. */
export function writeHandover(
  handover: Handover,
  describeMatch: (match: Silence['match']) => string,
  zone: Zone,
): string {
  const { from, to, note, open, silences, laterSilences, gaps, failed } = handover;
  const timeOf = (at: string): string => formatInstant(Date.parse(at), zone);
  const listing = (title: string, lines: readonly string[]): readonly string[] => [
    '',
    title,
    ...lines.map((line) => `- ${line}`),
  ];
  return [
    `Handover, ${formatInstant(from, zone)} to ${formatInstant(to, zone)}`,
    ...(note === null ? [] : listing('Shift note', [`${note.text} (${note.by}, ${timeOf(note.at)})`])),
    ...listing(
      describeOpen(open),
      open.map((alert) =>
        [`[${alert.severity}] ${alert.sentence} ${alert.state} since ${timeOf(alert.since)}`, describeCare(alert)]
          .filter((part) => part !== '')
          .join('; '),
      ),
    ),
    ...listing(describeSilences(handover), [
      ...silences.map(({ match, until, by, note: reason }) =>
        [`${describeMatch(match)} until ${timeOf(until)}, by ${by}`, reason].filter((part) => part !== '').join(': '),
      ),
      ...(laterSilences === 0 ? [] : [describeLater(laterSilences)]),
    ]),
    ...listing(
      describeGaps(gaps),
      (gaps ?? []).map((gap) => `${timeOf(gap.from)} to ${timeOf(gap.to)}, ${lengthOf(gap)}`),
    ),
    ...listing(
      describeFailed(failed),
      (failed ?? []).map(({ at, channel, outcome, summary, reason }) =>
        [`${timeOf(at)} ${channel}, ${outcome}: ${summary}`, reason].filter((part) => part !== '').join(' '),
      ),
    ),
    '',
  ].join('\n');
}

export function describeSilences({ silences }: Pick<Handover, 'silences'>): string {
  return silences.length === 0
    ? 'No silence ends in the next shift'
    : `${countOf(silences.length, 'silence')} that ${ends(silences.length)} in the next shift`;
}

export function describeLater(count: number): string {
  return `${countOf(count, 'silence')} that ${ends(count)} later`;
}

function ends(count: number): string {
  return count === 1 ? 'ends' : 'end';
}

export function describeGaps(gaps: Handover['gaps']): string {
  if (gaps === null) return 'Whether the journal has gaps is unknown';
  return gaps.length === 0 ? 'No gap in the journal' : `${countOf(gaps.length, 'gap')} in the journal`;
}

export function describeFailed(failed: Handover['failed']): string {
  if (failed === null) return 'Whether notifications failed is unknown';
  return failed.length === 0
    ? 'No delivery of a notification failed'
    : `${countOf(failed.length, 'attempt')} to deliver a notification failed`;
}

export function lengthOf({ from, to }: { readonly from: string; readonly to: string }): string {
  return formatDuration((Date.parse(to) - Date.parse(from)) / 1_000);
}
