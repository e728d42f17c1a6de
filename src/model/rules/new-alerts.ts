import type { Alert } from '#contract/desk/alerts.ts';
import { countOf } from '../format/count.ts';
import { compareAlerts, isCalling } from './alert-summary.ts';

/** Up to when alerts have been made known, in epoch milliseconds; null before the first time. */
export type AlertMark = number | null;

/** What began to fire after that and that somebody is called for, the worst first; and the next mark. What fires at the very first look is on the screen anyway. */
export function findNewAlerts(
  alerts: readonly Alert[],
  mark: AlertMark,
): { readonly fresh: readonly Alert[]; readonly mark: number } {
  const starts = alerts.flatMap(({ started_at: at }) => (at === null ? [] : [Date.parse(at)]));
  const fresh =
    mark === null
      ? []
      : alerts.filter((alert) => isCalling(alert) && alert.started_at !== null && Date.parse(alert.started_at) > mark);
  return { fresh: fresh.toSorted(compareAlerts), mark: Math.max(mark ?? 0, ...starts) };
}

/** One message for many. */
export function describeNewAlerts(fresh: readonly Alert[]): { readonly title: string; readonly text: string } {
  const [first] = fresh;
  if (first === undefined) return { title: '', text: '' };
  if (fresh.length === 1) return { title: `${first.rule_name} (${first.severity})`, text: first.sentence };
  const names = [...new Set(fresh.map(({ rule_name: name }) => name))];
  return { title: `${countOf(fresh.length, 'alert')}, the worst ${first.severity}`, text: names.join(', ') };
}
