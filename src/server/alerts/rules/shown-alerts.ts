import type { Rule } from '#contract/desk/rules.ts';
import type { Watched } from '#model/rules/alert-summary.ts';
import { type AlertBoard, type CurrentAlert, toAlertFields } from './alert-board.ts';
import { toShownStatus } from './describe-alerts.ts';

/** What one desk finds when it evaluates the rules and the others cannot know, as JSON. */
interface ShownAlerts {
  readonly alerts: readonly (Pick<CurrentAlert, 'group' | 'missing'> & {
    readonly ruleId: string;
    readonly shown: NonNullable<CurrentAlert['shown']>;
  })[];
  readonly watched: readonly (readonly [ruleId: string, watched: Watched])[];
}

export function writeShown(rules: readonly Rule[], board: AlertBoard, now: number): string {
  const shown: ShownAlerts = {
    alerts: board.all().map((alert) => ({
      ruleId: alert.rule.id,
      group: alert.group,
      missing: alert.missing,
      shown: {
        fields: toAlertFields(alert, toShownStatus(alert), board.of, now),
        rows: alert.reading?.evidence.total ?? 0,
      },
    })),
    watched: rules.flatMap((rule) => {
      const watched = board.watchedBy(rule);
      return watched === null ? [] : [[rule.id, watched] as const];
    }),
  };
  return JSON.stringify(shown);
}

/** Adds to the stored alerts what the desk that evaluates them found. */
export function takeShown(text: string, rules: readonly Rule[], board: AlertBoard): void {
  const { alerts, watched } = JSON.parse(text) as ShownAlerts;
  for (const { ruleId, group: subject, missing, shown } of alerts) {
    const alert = board.find(ruleId, subject);
    if (alert !== undefined) board.set({ ...alert, missing, shown }, alert.state);
  }
  const found = new Map(watched);
  for (const rule of rules) board.noteWatched(rule, found.get(rule.id) ?? null);
}
