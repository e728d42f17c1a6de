import type { ServerPorts } from '#server/core/ports.ts';
import { isProblemOf } from '#server/core/venue-failure.ts';
import type { Store } from '#server/store/store.ts';
import type { SilenceRegistry } from './muting.ts';
import type { RuleRegistry } from './rule-registry.ts';
import type { RuleStore, RuleVersions } from './rule-store.ts';
import type { ShiftNotes } from './shift-note.ts';

/** Notes each evaluation, and what it found if that has changed. */
export function createFoundNote({ noteEvaluated }: Pick<RuleStore, 'noteEvaluated'>, write: () => string) {
  let noted = '';
  return {
    note: async (): Promise<void> => {
      const found = write();
      await noteEvaluated(found === noted ? null : found);
      noted = found;
    },
    /** Another desk may have noted something since. */
    forget: (): void => {
      noted = '';
    },
  };
}

interface OthersDeps extends Pick<ServerPorts, 'now'> {
  readonly store: Pick<RuleStore, 'versions'>;
  readonly isLeader: () => boolean;
  readonly rules: Pick<RuleRegistry, 'reload'>;
  readonly silences: Pick<SilenceRegistry, 'reload'>;
  readonly shiftNotes: Pick<ShiftNotes, 'reload'>;
  readonly onChange: () => void;
  /** Loads rules, silences and alerts. */
  readonly load: () => Promise<void>;
}

/** Follows what other desks write: any of them rules and silences, the leader alerts. */
export function createOthers({ store, isLeader, rules, silences, shiftNotes, load, onChange, now }: OthersDeps) {
  let known: Pick<RuleVersions, 'rules' | 'alerts'> | null = null;
  let evaluatedAt: number | null = null;
  return {
    takeChanges: async (): Promise<void> => {
      const leads = isLeader();
      const { evaluatedAgoMs, ...found } = await store.versions();
      evaluatedAt = evaluatedAgoMs === null ? null : now() - evaluatedAgoMs;
      const hasNewRules = found.rules !== known?.rules;
      if (!hasNewRules && (leads || found.alerts === known?.alerts)) return;
      if (leads) await Promise.all([rules.reload(), silences.reload(), shiftNotes.reload()]);
      else await load();
      known = found;
      onChange();
    },
    /** By the clock of this machine. */
    evaluatedAt: () => evaluatedAt,
    forget: (): void => {
      known = null;
    },
  };
}

const POLLED_EVERY_MS = 1_000;

/** Looks regularly for what other desks have changed, if there can be any. */
export function createPoll(
  { store, schedule, log }: Pick<ServerPorts, 'schedule' | 'log'> & { readonly store: Pick<Store, 'isShared'> },
  look: () => Promise<void>,
) {
  let isOpen = false;
  let cancel = (): void => undefined;
  let running: Promise<void> = Promise.resolve();
  const run = (): void => {
    running = look()
      .catch((error: unknown) => {
        // The store has reported its own failure.
        if (!isProblemOf(error, 'desk-cannot-read'))
          log('error', 'rules not followed', { reason: error instanceof Error ? error.stack : String(error) });
      })
      .then(plan);
  };
  const plan = (): void => {
    if (isOpen) cancel = schedule(POLLED_EVERY_MS, run);
  };
  return {
    start: (): void => {
      isOpen = store.isShared;
      plan();
    },
    close: async (): Promise<void> => {
      isOpen = false;
      cancel();
      await running;
    },
  };
}
