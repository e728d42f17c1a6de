import type { Rule } from '#contract/desk/rules.ts';
import type { RuleData } from '#model/rules/readings.ts';
import type { createTurns } from '#server/core/in-turn.ts';
import type { GatewayPorts } from '#server/core/ports.ts';
import { isProblemOf } from '#server/core/venue-failure.ts';
import type { ActivityLog } from './activity-log.ts';
import type { AlertBoard } from './alert-board.ts';
import type { KnownGroups } from './known-groups.ts';
import type { RuleEngine } from './rule-engine.ts';
import type { StoredSilence } from './rule-store.ts';

export interface RuleWatchParts extends Pick<GatewayPorts, 'now' | 'elapsed' | 'schedule' | 'log'> {
  /** Lets nothing else change alerts during a round. */
  readonly inTurn: ReturnType<typeof createTurns>;
  readonly engine: Pick<RuleEngine, 'run'>;
  readonly board: Pick<AlertBoard, 'shift'>;
  readonly activity: Pick<ActivityLog, 'update'>;
  readonly known: Pick<KnownGroups, 'prepare'>;
  /** Whether it has been tried to read all that a rule needs. */
  readonly isRead: (rule: Rule) => boolean;
  readonly dataAt: (now: number) => RuleData;
  /** Does beforehand what would take long at once. */
  readonly prepare: (rules: readonly Rule[], now: number) => Promise<void>;
  /** The enabled ones. */
  readonly rules: () => readonly Rule[];
  readonly silences: () => readonly StoredSilence[];
  /** Has what the rules need read, and nothing else. */
  readonly sync: () => void;
  /** Of several desks on one store, one evaluates. */
  readonly isHeld: () => boolean;
  /** Takes what the desk that evaluates has left in the store. */
  readonly follow: () => Promise<void>;
  /** Whether the exchange's interface has been tested, which takes a moment after the start. */
  readonly isTested: () => boolean;
}

/** Evaluates rules on each reading, and from time to time. */
export interface RuleWatch {
  readonly start: () => void;
  /** Evaluates soon. */
  readonly wake: () => void;
  /** When rules were evaluated last; null: never. */
  readonly evaluatedAt: () => number | null;
  readonly close: () => Promise<void>;
}

const EVERY_MS = 5_000;
/** Clocks that are further apart than that after a while have been set. */
const CORRECTED_MS = 2_000;

export function createRuleWatch(parts: RuleWatchParts): RuleWatch {
  const { schedule, inTurn } = parts;
  const round = createRound(parts);
  let cancel = (): void => undefined;
  let running: Promise<void> | null = null;
  let isOpen = false;
  let isAwake = false;
  let evaluatedAt: number | null = null;

  const run = (): void => {
    if (running !== null) {
      isAwake = true;
      return;
    }
    running = inTurn(round).then((at) => {
      evaluatedAt = at ?? evaluatedAt;
      running = null;
      plan(isAwake ? 0 : EVERY_MS);
      isAwake = false;
    });
  };
  const plan = (milliseconds: number): void => {
    cancel();
    if (isOpen) cancel = schedule(milliseconds, run);
  };

  return {
    start: () => {
      isOpen = true;
      plan(0);
    },
    wake: () => {
      if (running === null) plan(0);
      else isAwake = true;
    },
    evaluatedAt: () => evaluatedAt,
    close: async () => {
      isOpen = false;
      cancel();
      await running;
    },
  };
}

/** One evaluation of all rules; null: there was none. It never rejects. */
function createRound(parts: RuleWatchParts): () => Promise<number | null> {
  const { now, elapsed, log, board, engine, activity, dataAt } = parts;
  let clock: { readonly now: number; readonly elapsed: number } | null = null;
  const followClock = (): number => {
    const next = { now: now(), elapsed: elapsed() };
    const correction = clock === null ? 0 : next.now - clock.now - (next.elapsed - clock.elapsed);
    clock = next;
    if (Math.abs(correction) > CORRECTED_MS) board.shift(correction);
    return next.now;
  };
  return async () => {
    const at = followClock();
    parts.sync();
    try {
      if (!parts.isHeld()) {
        await parts.follow();
        return null;
      }
      const enabled = parts.rules();
      const ready = enabled.filter((rule) => isReady(rule, parts));
      const windowMs = longestWindowMs(ready);
      if (windowMs > 0) await activity.update(at - windowMs);
      await parts.known.prepare(ready);
      await parts.prepare(ready, at);
      await engine.run({ enabled, ready, data: dataAt(at), silences: parts.silences() });
      return at;
    } catch (error) {
      // A store that cannot be written has been reported as such; all is tried again.
      if (!isProblemOf(error, 'desk-cannot-write') && !isProblemOf(error, 'desk-cannot-read'))
        log('error', 'rules failed', { reason: error instanceof Error ? error.stack : String(error) });
      return null;
    }
  };
}

/** At the start, what has not been tried to read yet is not missing. */
function isReady(rule: Rule, { isRead, isTested }: RuleWatchParts): boolean {
  if (rule.about === 'desk' && rule.measure === 'drift') return isTested();
  return isRead(rule);
}

function longestWindowMs(rules: readonly Rule[]): number {
  return Math.max(0, ...rules.map((rule) => ('window_seconds' in rule ? (rule.window_seconds ?? 0) * 1_000 : 0)));
}
