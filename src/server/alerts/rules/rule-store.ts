import type { Rule } from '#contract/desk/rules.ts';
import type { SilenceMatch } from '#contract/desk/alerts.ts';
import { type Dialect, limitTo, type Read, type Row, type Step, type Table, type WritePlan } from '#sql/driver.ts';
import type { Store, Writing } from '#server/store/store.ts';
import {
  alertChanges,
  alertEvidence,
  alertSilences,
  alertStates,
  deskRules,
  orderBaselines,
  ruleAuthors,
  ruleChanges,
  ruleVersions,
  shiftNotes,
  shownAlerts,
} from '#server/store/tables.ts';
import type { AlertState } from './alert-state.ts';

/** A rule before and after a change. */
export interface RuleEdit {
  readonly id: string;
  readonly before: Rule | null;
  readonly after: Rule | null;
}

export interface StoredSilence {
  readonly id: string;
  readonly match: SilenceMatch;
  /** In epoch milliseconds, as `at`. */
  readonly until: number;
  readonly by: string;
  readonly at: number;
  readonly note: string;
}

export interface StoredState {
  /** As it was evaluated. It may have been changed or deleted since. */
  readonly rule: Rule;
  readonly group: string;
  /** Null if nothing is remembered of it any more. */
  readonly state: AlertState | null;
}

/** `rule` is null if an earlier version stored it. */
export type RestoredState = {
  readonly ruleId: string;
  readonly group: string;
  readonly rule: Rule | null;
  readonly state: AlertState;
};

/** The orders, by ID, that met the condition of a rule when it was saved or turned on. */
export interface StoredBaseline {
  readonly ruleId: string;
  /** The rule at that time. */
  readonly rule: Rule;
  readonly orders: readonly string[];
}

/** A change of an alert as clients receive it, with the exchange's own texts as evidence. */
export interface StoredAlertChange {
  readonly ruleId: string;
  readonly body: string;
  /** More of the evidence than the history lists, if the alert began to fire. */
  readonly firing?: { readonly group: string; readonly at: number; readonly evidence: string };
}

export interface StoredShiftNote {
  readonly text: string;
  readonly by: string;
  /** In epoch milliseconds. */
  readonly at: number;
  readonly version: number;
}

interface AlertChangePage {
  readonly changes: readonly { readonly number: number; readonly body: string }[];
  /** Whether there are older changes. */
  readonly hasMore: boolean;
}

/** Numbers that change when a desk changes something; zeros where only one desk uses the store. */
export interface RuleVersions {
  /** Of rules and silences. */
  readonly rules: number;
  readonly alerts: number;
  /** How long ago the leader evaluated the rules; null if that is unknown. */
  readonly evaluatedAgoMs: number | null;
}

/** What rules keep in the store. Methods throw if something that must not be lost cannot be written. */
export interface RuleStore {
  readonly rules: () => Promise<readonly Rule[]>;
  /** The people who last saved the rules, by rule ID. */
  readonly authors: () => Promise<ReadonlyMap<string, string>>;
  readonly states: () => Promise<readonly RestoredState[]>;
  readonly silences: () => Promise<readonly StoredSilence[]>;
  readonly versions: () => Promise<RuleVersions>;
  /**
   * Saves all edits or none, with their time and author: the name, and the ID if there is one. Returns the new version
   * of the rules, or null if they no longer have the given one: then nothing is saved.
   */
  readonly change: (
    edits: readonly RuleEdit[],
    at: number,
    by: string,
    person?: string,
    version?: number,
  ) => Promise<number | null>;
  /** Returns the texts of the latest changes, newest first. */
  readonly ruleChanges: () => Promise<readonly string[]>;
  readonly write: (states: readonly StoredState[], changes: readonly StoredAlertChange[]) => Promise<void>;
  /** Returns what `write` writes, to be written together with something else. */
  readonly stepsOf: (
    states: readonly StoredState[],
    changes: readonly StoredAlertChange[],
    writing: Pick<Writing, 'read'>,
  ) => Promise<readonly Step[]>;
  /** Lets other desks know that the rules have just been evaluated, and what was found, unless that is null. */
  readonly noteEvaluated: (found: string | null) => Promise<void>;
  /** Returns what was found then; null if nothing was noted. */
  readonly found: () => Promise<string | null>;
  /** When each rule last fired, in epoch milliseconds. */
  readonly lastFired: () => Promise<ReadonlyMap<string, number>>;
  readonly alertChanges: (request: {
    readonly ruleId: string | null;
    readonly before: number | null;
    readonly limit: number;
  }) => Promise<AlertChangePage>;
  readonly baselines: () => Promise<readonly StoredBaseline[]>;
  /** Replaces the baselines of some rules, and drops those of others. */
  readonly writeBaselines: (kept: readonly StoredBaseline[], dropped: readonly string[]) => Promise<void>;
  /** The rows that an alert was about when it began to fire; null if none are kept. */
  readonly evidence: (ruleId: string, group: string) => Promise<{ readonly at: number; readonly body: string } | null>;
  readonly shiftNote: () => Promise<StoredShiftNote | null>;
  /** Replaces the version before, and returns whether that was still there. */
  readonly putShiftNote: (note: StoredShiftNote) => Promise<boolean>;
  readonly putSilences: (silences: readonly StoredSilence[]) => Promise<void>;
  readonly dropSilences: (ids: readonly string[]) => Promise<void>;
}

/** Older ones are dropped. */
export const MAX_RULE_CHANGES = 1_000;
const MAX_ALERT_CHANGES = 10_000;

/** `scope` identifies the exchange and the owner of the orders. */
export function createRuleStore(
  { dialect, isShared, read, mustWrite }: Pick<Store, 'dialect' | 'isShared' | 'read' | 'mustWrite'>,
  scope: string,
): RuleStore {
  const rowsOf = (name: string, sql: string, values: Read['values'] = []): Promise<readonly Row[]> =>
    read((store) => store.read({ name, sql, values: [scope, ...values] }));
  const bump = (kind: VersionKind): readonly Step[] => (isShared ? [toBump(scope, kind)] : []);
  const writeSilences = (steps: readonly Step[]): Promise<void> =>
    mustWrite((store) => store.write([...steps, ...bump('rules')]));
  const stepsOf: RuleStore['stepsOf'] = async (states, changes, store) => {
    const [row] = await store.read(lastNumber(alertChanges, scope));
    return [...toAlertSteps(scope, states, changes, Number(row?.[0] ?? 0)), ...bump('alerts')];
  };
  return {
    rules: async () =>
      (await rowsOf('rules', 'SELECT body FROM desk_rule WHERE scope = $1 ORDER BY id')).map(
        ([body]) => JSON.parse(String(body)) as Rule,
      ),
    authors: async () =>
      new Map(
        (await rowsOf('rule authors', 'SELECT id, person FROM rule_author WHERE scope = $1')).map(([id, person]) => [
          String(id),
          String(person),
        ]),
      ),
    states: async () =>
      (await rowsOf('alert states', 'SELECT rule_id, group_name, body FROM alert_state WHERE scope = $1')).map(
        ([ruleId, subject, body]) => ({ ruleId: String(ruleId), group: String(subject), ...parseState(String(body)) }),
      ),
    silences: async () =>
      (await rowsOf('silences', 'SELECT body FROM alert_silence WHERE scope = $1')).map(
        ([body]) => JSON.parse(String(body)) as StoredSilence,
      ),
    versions: async () => (isShared ? toVersions(await rowsOf('rule versions', readVersions(dialect))) : UNSHARED),
    change: (edits, at, by, person = '', version) =>
      mustWrite((store) =>
        store.transact(function* () {
          const stored = isShared ? yield* lockVersion(scope, dialect) : 0;
          if (version !== undefined && version !== stored) return null;
          const [row] = yield lastNumber(ruleChanges, scope);
          yield* toRuleSteps(scope, edits, { at, by, person, last: Number(row?.[0] ?? 0) });
          yield* bump('rules');
          return isShared ? stored + 1 : 0;
        }),
      ),
    ruleChanges: async () =>
      (
        await rowsOf(
          'rule changes',
          `SELECT body FROM rule_change WHERE scope = $1 ORDER BY number DESC ${limitTo(2)}`,
          [MAX_RULE_CHANGES],
        )
      ).map(([body]) => String(body)),
    write: (states, changes) =>
      mustWrite(async (store) => {
        await store.write(await stepsOf(states, changes, store));
      }),
    stepsOf,
    noteEvaluated: (found) =>
      mustWrite((store) =>
        store.write([
          toEvaluated(scope, dialect),
          ...(found === null ? [] : [{ table: shownAlerts, rows: [[scope, found]] }, ...bump('alerts')]),
        ]),
      ),
    found: async () => {
      const [[body] = []] = await rowsOf('shown alerts', 'SELECT body FROM shown_alerts WHERE scope = $1');
      return body === undefined ? null : String(body);
    },
    lastFired: async () =>
      new Map(
        (await rowsOf('last fired', LAST_FIRED)).map(([ruleId, body]) => [
          String(ruleId),
          Date.parse((JSON.parse(String(body)) as { readonly at: string }).at),
        ]),
      ),
    alertChanges: async ({ ruleId, before, limit }) => {
      const rows = await rowsOf(
        'alert changes',
        `SELECT number, body FROM alert_change WHERE scope = $1 AND number < $2 AND ($3 = '' OR rule_id ` +
          `= $3) ORDER BY number DESC ${limitTo(4)}`,
        [before ?? Number.MAX_SAFE_INTEGER, ruleId ?? '', limit + 1],
      );
      const page = rows.slice(0, limit);
      return {
        changes: page.map(([number, body]) => ({ number: Number(number), body: String(body) })),
        hasMore: rows.length > limit,
      };
    },
    baselines: async () =>
      (await rowsOf('order baselines', 'SELECT rule_id, body FROM order_baseline WHERE scope = $1')).map(
        ([ruleId, body]) => ({
          ruleId: String(ruleId),
          ...(JSON.parse(String(body)) as Omit<StoredBaseline, 'ruleId'>),
        }),
      ),
    writeBaselines: (kept, dropped) =>
      mustWrite((store) =>
        store.write([
          { table: orderBaselines, rows: kept.map(({ ruleId, ...body }) => [scope, ruleId, JSON.stringify(body)]) },
          ...dropped.map((ruleId) => ({
            name: 'drop order baseline',
            sql: 'DELETE FROM order_baseline WHERE scope = $1 AND rule_id = $2',
            values: [scope, ruleId],
          })),
        ]),
      ),
    evidence: async (ruleId, subject) => {
      const [row] = await rowsOf(
        'alert evidence',
        'SELECT at, body FROM alert_evidence WHERE scope = $1 AND rule_id = $2 AND group_name = $3',
        [ruleId, subject],
      );
      return row === undefined ? null : { at: Number(row[0]), body: String(row[1]) };
    },
    shiftNote: async () => toShiftNote(await rowsOf('shift note', SHIFT_NOTE)),
    putShiftNote: ({ version, ...note }) =>
      mustWrite((store) =>
        store.transact(function* () {
          // Creates the row that is then locked.
          yield {
            name: 'create shift note',
            sql: `INSERT INTO shift_note (scope, body, version) VALUES ($1, '', 0) ON CONFLICT (scope) DO NOTHING`,
            values: [scope],
          };
          const sql = `${SHIFT_NOTE} ${dialect.forUpdate}`;
          const stored = toShiftNote(yield { name: 'lock shift note', sql, values: [scope] });
          if ((stored?.version ?? 0) !== version - 1) return false;
          yield { table: shiftNotes, rows: [[scope, JSON.stringify(note), version]] };
          yield* bump('rules');
          return true;
        }),
      ),
    putSilences: (silences) =>
      writeSilences([
        { table: alertSilences, rows: silences.map((silence) => [scope, silence.id, JSON.stringify(silence)]) },
      ]),
    dropSilences: (ids) =>
      writeSilences(
        ids.map((id) => ({
          name: 'drop silence',
          sql: 'DELETE FROM alert_silence WHERE scope = $1 AND id = $2',
          values: [scope, id],
        })),
      ),
  };
}

const SHIFT_NOTE = 'SELECT body, version FROM shift_note WHERE scope = $1';

function toShiftNote([row]: readonly Row[]): StoredShiftNote | null {
  if (row === undefined || Number(row[1]) === 0) return null;
  return { ...(JSON.parse(String(row[0])) as Omit<StoredShiftNote, 'version'>), version: Number(row[1]) };
}

function lastNumber(table: Table, scope: string): Read {
  const sql = `SELECT coalesce(max(number), 0) FROM ${table.name} WHERE scope = $1`;
  return { name: `last ${table.name}`, sql, values: [scope] };
}

type VersionKind = 'rules' | 'alerts';

const UNSHARED: RuleVersions = { rules: 0, alerts: 0, evaluatedAgoMs: null };

function readVersions({ now }: Dialect): string {
  return `SELECT kind, version, ${now} - version FROM ${ruleVersions.name} WHERE scope = $1`;
}

function toVersions(rows: readonly Row[]): RuleVersions {
  const found = new Map(rows.map(([kind, version, age]) => [kind, { version: Number(version), age: Number(age) }]));
  return {
    rules: found.get('rules')?.version ?? 0,
    alerts: found.get('alerts')?.version ?? 0,
    evaluatedAgoMs: found.get('evaluated')?.age ?? null,
  };
}

/** Returns the version of the rules, which other desks cannot change before the transaction ends. */
function* lockVersion(scope: string, { forUpdate }: Dialect): WritePlan<number> {
  const created = `INSERT INTO ${ruleVersions.name} (scope, kind, version) VALUES ($1, 'rules', 0)
    ON CONFLICT (scope, kind) DO NOTHING`;
  yield { name: 'create rule version', sql: created, values: [scope] };
  const found = `SELECT version FROM ${ruleVersions.name} WHERE scope = $1 AND kind = 'rules' ${forUpdate}`;
  const [row] = yield { name: 'lock rule version', sql: found, values: [scope] };
  return Number(row?.[0]);
}

function toBump(scope: string, kind: VersionKind): Step {
  const sql = `INSERT INTO ${ruleVersions.name} (scope, kind, version) VALUES ($1, $2, 1)
    ON CONFLICT (scope, kind) DO UPDATE SET version = ${ruleVersions.name}.version + 1`;
  return { name: 'count change', sql, values: [scope, kind] };
}

function toEvaluated(scope: string, { now }: Dialect): Step {
  const sql = `INSERT INTO ${ruleVersions.name} (scope, kind, version) VALUES ($1, 'evaluated', ${now})
    ON CONFLICT (scope, kind) DO UPDATE SET version = excluded.version`;
  return { name: 'note evaluation', sql, values: [scope] };
}

function parseState(body: string): Pick<RestoredState, 'rule' | 'state'> {
  const { rule = null, ...state } = JSON.parse(body) as AlertState & { readonly rule?: Rule };
  return { rule, state };
}

/** JSON escapes quotes within a text, so no sentence can look like the state. */
const LAST_FIRED = `SELECT rule_id, body FROM alert_change WHERE scope = $1
  AND number IN (SELECT max(number) FROM alert_change
    WHERE scope = $1 AND body LIKE '%"state":"firing"%' GROUP BY rule_id)`;

function toRuleSteps(
  scope: string,
  edits: readonly RuleEdit[],
  {
    at,
    by,
    person,
    last,
  }: { readonly at: number; readonly by: string; readonly person: string; readonly last: number },
): readonly Step[] {
  const kept = edits.flatMap(({ id, after }) => (after === null ? [] : [[scope, id, JSON.stringify(after)]]));
  const dropped = edits.filter(({ after }) => after === null);
  const bodies = edits.map(({ id, before, after }) =>
    JSON.stringify({ at: new Date(at).toISOString(), by, rule_id: id, before, after }),
  );
  return [
    { table: deskRules, rows: kept },
    ...edits.map(({ id }) => ({
      name: 'drop rule author',
      sql: 'DELETE FROM rule_author WHERE scope = $1 AND id = $2',
      values: [scope, id],
    })),
    { table: ruleAuthors, rows: person === '' ? [] : kept.map(([, id = '']) => [scope, id, person]) },
    ...dropped.map(({ id }) => ({
      name: 'drop rule',
      sql: 'DELETE FROM desk_rule WHERE scope = $1 AND id = $2',
      values: [scope, id],
    })),
    { table: ruleChanges, rows: bodies.map((body, index) => [scope, last + index + 1, body]) },
    {
      name: 'drop old rule changes',
      sql: 'DELETE FROM rule_change WHERE scope = $1 AND number <= $2',
      values: [scope, last + edits.length - MAX_RULE_CHANGES],
    },
  ];
}

function toAlertSteps(
  scope: string,
  states: readonly StoredState[],
  changes: readonly StoredAlertChange[],
  last: number,
): readonly Step[] {
  const kept = states.flatMap(({ rule, group: subject, state }) =>
    state === null ? [] : [[scope, rule.id, subject, JSON.stringify({ ...state, rule })]],
  );
  const dropped = states.filter(({ state }) => state === null);
  return [
    { table: alertStates, rows: kept },
    ...dropped.flatMap(({ rule, group: subject }) =>
      [alertStates, alertEvidence].map(({ name }) => ({
        name: `drop ${name}`,
        sql: `DELETE FROM ${name} WHERE scope = $1 AND rule_id = $2 AND group_name = $3`,
        values: [scope, rule.id, subject],
      })),
    ),
    {
      table: alertEvidence,
      rows: changes.flatMap(({ ruleId, firing }) =>
        firing === undefined ? [] : [[scope, ruleId, firing.group, firing.at, firing.evidence]],
      ),
    },
    { table: alertChanges, rows: changes.map(({ ruleId, body }, index) => [scope, last + index + 1, ruleId, body]) },
    {
      name: 'drop old alert changes',
      sql: 'DELETE FROM alert_change WHERE scope = $1 AND number <= $2',
      values: [scope, last + changes.length - MAX_ALERT_CHANGES],
    },
  ];
}
