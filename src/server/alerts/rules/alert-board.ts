import type { Rule } from '#contract/desk/rules.ts';
import { isGrouped } from '#model/rules/rule-groups.ts';
import type { Watched } from '#model/rules/watched.ts';
import { isMissing, type Evaluation, type GroupReading } from '#model/rules/readings.ts';
import { advance, shiftTimes, withoutData, type AlertState, type Verdict } from './alert-state.ts';
import type { LiveAlert } from './alert-events.ts';

/** An alert whose state is another one than before. */
export interface AlertMove {
  readonly alert: LiveAlert;
  /** Null: it was remembered of nothing. */
  readonly before: AlertState | null;
  /** Null: nothing is remembered any more. */
  readonly after: AlertState | null;
}

/** When each rule fired last, in epoch milliseconds. */
type LastFired = ReadonlyMap<string, number>;

/** What all rules say at present. */
export interface AlertBoard {
  readonly all: () => readonly LiveAlert[];
  readonly of: (ruleId: string) => readonly LiveAlert[];
  readonly find: (ruleId: string, group: string) => LiveAlert | undefined;
  /** Takes what a rule says now, and returns what has changed. */
  readonly take: (rule: Rule, evaluation: Evaluation, now: number) => readonly AlertMove[];
  /** Forgets all others. */
  readonly load: (alerts: readonly LiveAlert[], lastFired: LastFired) => void;
  readonly lastFired: () => LastFired;
  /** What a rule was about when it was evaluated last; null: it is not known. */
  readonly watchedBy: (rule: Rule) => Watched | null;
  readonly noteWatched: (rule: Rule, watched: Watched | null) => void;
  readonly set: (alert: LiveAlert, state: AlertState | null) => void;
  /** The clock was corrected by so much. */
  readonly shift: (byMs: number) => void;
}

export function createAlertBoard(): AlertBoard {
  const rules = new Map<string, Map<string, LiveAlert>>();
  let lastFired = new Map<string, number>();
  const groupsOf = (ruleId: string): Map<string, LiveAlert> => {
    const groups = rules.get(ruleId) ?? new Map<string, LiveAlert>();
    rules.set(ruleId, groups);
    return groups;
  };
  const set = (alert: LiveAlert, state: AlertState | null): void => {
    if (state === null) groupsOf(alert.rule.id).delete(alert.group);
    else groupsOf(alert.rule.id).set(alert.group, { ...alert, state });
  };

  const move = (rule: Rule, reading: GroupReading, missing: string | null, now: number): readonly AlertMove[] => {
    const before = groupsOf(rule.id).get(reading.group)?.state ?? null;
    const after = advance(before, missing === null ? reading.holds : null, now, rule.for_seconds * 1_000);
    const state = after ?? before;
    if (state === null) return [];
    const alert = {
      rule,
      group: reading.group,
      state,
      reading,
      missing: missing ?? (reading.holds === null ? reading.because : null),
    };
    set(alert, after);
    if (after?.status === 'firing' && before?.status !== 'firing') lastFired.set(rule.id, now);
    return after === before ? [] : [{ alert, before, after }];
  };

  const takeMissing = (rule: Rule, missing: string, now: number): readonly AlertMove[] => {
    const frozen = [...groupsOf(rule.id).values()]
      .filter(({ group }) => group !== '')
      .flatMap((alert) => {
        const after = withoutData(alert.state);
        set({ ...alert, missing }, after);
        return after === alert.state ? [] : [{ alert, before: alert.state, after }];
      });
    return [...frozen, ...move(rule, toNothing('', null), missing, now)];
  };

  return {
    all: () => [...rules.values()].flatMap((groups) => [...groups.values()]),
    of: (ruleId) => [...groupsOf(ruleId).values()],
    find: (ruleId, group) => groupsOf(ruleId).get(group),
    lastFired: () => lastFired,
    ...createWatchedNotes(),
    load: (alerts, fired) => {
      rules.clear();
      lastFired = new Map(fired);
      for (const alert of alerts) set(alert, alert.state);
    },
    set,
    take: (rule, evaluation, now) => {
      if (isMissing(evaluation)) return takeMissing(rule, evaluation.missing, now);
      // Beside groups, the one without a name stands for the rule, which has data again. Of one that nothing is said of, nothing is known.
      const whole = isGrouped(rule) && groupsOf(rule.id).has('') ? [toNothing('', false)] : [];
      return [...evaluation, ...whole].flatMap((reading) => move(rule, reading, null, now));
    },
    shift: (byMs) => {
      for (const groups of rules.values())
        for (const alert of groups.values()) set(alert, shiftTimes(alert.state, byMs));
    },
  };
}

function createWatchedNotes(): Pick<AlertBoard, 'watchedBy' | 'noteWatched'> {
  const watched = new WeakMap<Rule, Watched>();
  return {
    watchedBy: (rule) => watched.get(rule) ?? null,
    noteWatched: (rule, found) => {
      if (found === null) watched.delete(rule);
      else watched.set(rule, found);
    },
  };
}

function toNothing(group: string, holds: Verdict): GroupReading {
  return { group, holds, value: null, because: null, evidence: { total: 0, orders: [], products: [] } };
}
