import { createHmac } from 'node:crypto';
import type { AuditStore } from './audit-store.ts';
import type { AuditLog } from './audit-log.ts';
import { UNCLEAN_STOP } from '#contract/desk/audit-chain.ts';

/** The settings in force, by name. */
export type GivenSettings = Readonly<Record<string, string>>;

/** This desk among those on its store. */
export interface AmongDesks {
  /** Null for the only one. */
  readonly deskName: string | null;
  /** Returns the names of desks that have not stopped and were seen lately. */
  readonly seenLately: () => Promise<readonly string[]>;
}

export const ALONE: AmongDesks = { deskName: null, seenLately: () => Promise.resolve([]) };

interface StartDeps extends Pick<AmongDesks, 'deskName'> {
  readonly store: Pick<AuditStore, 'note' | 'putNote'>;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly key: string;
  readonly earlierKeys?: (() => readonly string[]) | undefined;
}

/** Records which settings of a desk have changed since its last start, by name only, since values may be secret. */
export async function recordChangedSettings(
  given: GivenSettings,
  { store, audit, key, earlierKeys = () => [], deskName }: StartDeps,
): Promise<void> {
  const digestsBy = (by: string): GivenSettings =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [
        name,
        createHmac('sha256', by).update(`setting\n${name}\n${value}`).digest('hex'),
      ]),
    );
  const note = toNoteName('settings', deskName);
  const before = await store.note(note);
  const current = JSON.stringify(digestsBy(key));
  if (before === current) return;
  const changes =
    before === null
      ? []
      : [key, ...earlierKeys()].map((by) => findChanged(JSON.parse(before) as GivenSettings, digestsBy(by)));
  // With the key that they were noted with, the fewest have changed.
  const [changed = []] = changes.toSorted((one, other) => one.length - other.length);
  await store.putNote(note, current);
  if (changed.length > 0)
    await audit.record({
      kind: 'setting changed',
      ...NO_ONE,
      detail: `${deskName === null ? 'Started' : `The desk "${deskName}" started`} with changed settings: ${changed.join(', ')}.`,
    });
}

const NO_ONE = { who: '', name: '', address: '' };

function toNoteName<Kind extends 'settings' | 'run'>(kind: Kind, deskName: string | null) {
  return deskName === null ? kind : (`${kind} of ${deskName}` as const);
}

function findChanged(before: GivenSettings, after: GivenSettings): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => before[name] !== after[name])
    .sort();
}

interface RunsDeps extends AmongDesks, Pick<StartDeps, 'audit'> {
  readonly store: Pick<AuditStore, 'putNote' | 'clearNote' | 'runs'>;
  readonly now: () => number;
}

/**
 * Marks in the store that a run of this desk has begun, until it ends. A remaining mark shows that the previous run did
 * not end cleanly. That of another desk says so once the desk has not been seen for a while.
 */
interface Runs {
  /** Records the start. */
  readonly begin: (version: string) => Promise<void>;
  /** Must be called once all entries are stored. */
  readonly end: () => Promise<void>;
}

const MISSING = 'did not end cleanly: up to a minute of repeated reads may be missing.';

export function createRuns({ store, audit, deskName, seenLately, now }: RunsDeps): Runs {
  const note = toNoteName('run', deskName);
  let own: string | null = null;
  const recordOthers = async (marks: ReadonlyMap<string, string>): Promise<void> => {
    const running = (await seenLately()).map((name) => toNoteName('run', name));
    for (const [name, body] of marks) {
      if (name === note || running.some((one) => one === name) || !(await store.clearNote(name as typeof note, body)))
        continue;
      // Only a run of an earlier version has no name.
      const whose = name === 'run' ? 'The previous run' : `A run of the desk "${name.slice('run of '.length)}"`;
      await audit.record({ kind: UNCLEAN_STOP, ...NO_ONE, detail: `${whose} ${MISSING}` });
    }
  };
  return {
    begin: async (version) => {
      const marks = await store.runs();
      own = new Date(now()).toISOString();
      await store.putNote(note, own);
      const started = `Started, version ${version}${deskName === null ? '' : `, as the desk "${deskName}"`}`;
      if (marks.has(note))
        await audit.record({ kind: UNCLEAN_STOP, ...NO_ONE, detail: `${started}; the previous run ${MISSING}` });
      else await audit.record({ kind: 'started', ...NO_ONE, detail: `${started}.` });
      if (deskName !== null) await recordOthers(marks);
    },
    // Another run of the same name keeps its own mark. A mark that cannot be removed says that entries may be missing.
    end: async () => {
      if (own !== null) await store.clearNote(note, own).catch(() => undefined);
    },
  };
}
