import type { Rule } from '#contract/desk/rules.ts';
import type { SilenceMatch } from '#contract/desk/alerts.ts';
import { limitTo, type Read, type Row, type Step, type Table } from '#sql/driver.ts';
import type { Store } from '#server/store/store.ts';
import { alertChanges, alertSilences, alertStates, deskRules, ruleAuthors, ruleChanges } from '#server/store/tables.ts';
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

/** A change of an alert as clients receive it, with the exchange's own texts as evidence. */
export interface StoredAlertChange {
  readonly ruleId: string;
  readonly body: string;
}

interface AlertChangePage {
  readonly changes: readonly { readonly number: number; readonly body: string }[];
  /** Whether there are older changes. */
  readonly hasMore: boolean;
}

/** What rules keep in the store. Methods throw if something that must not be lost cannot be written. */
export interface RuleStore {
  readonly rules: () => Promise<readonly Rule[]>;
  /** The people who last saved the rules, by rule ID. */
  readonly authors: () => Promise<ReadonlyMap<string, string>>;
  readonly states: () => Promise<readonly RestoredState[]>;
  readonly silences: () => Promise<readonly StoredSilence[]>;
  /** Saves all edits or none, with their time and author: the name, and the ID if there is one. */
  readonly change: (edits: readonly RuleEdit[], at: number, by: string, person?: string) => Promise<void>;
  /** Returns the texts of the latest changes, newest first. */
  readonly ruleChanges: () => Promise<readonly string[]>;
  readonly write: (states: readonly StoredState[], changes: readonly StoredAlertChange[]) => Promise<void>;
  /** When each rule last fired, in epoch milliseconds. */
  readonly lastFired: () => Promise<ReadonlyMap<string, number>>;
  readonly alertChanges: (request: {
    readonly ruleId: string | null;
    readonly before: number | null;
    readonly limit: number;
  }) => Promise<AlertChangePage>;
  readonly putSilence: (silence: StoredSilence) => Promise<void>;
  readonly dropSilences: (ids: readonly string[]) => Promise<void>;
}

/** Older ones are dropped. */
export const MAX_RULE_CHANGES = 1_000;
const MAX_ALERT_CHANGES = 10_000;

/** `scope` identifies the exchange and the owner of the orders. */
export function createRuleStore({ read, mustWrite }: Pick<Store, 'read' | 'mustWrite'>, scope: string): RuleStore {
  const rowsOf = (name: string, sql: string, values: Read['values'] = []): Promise<readonly Row[]> =>
    read((store) => store.read({ name, sql, values: [scope, ...values] }));
  const write = (steps: readonly Step[]): Promise<void> => mustWrite((store) => store.write(steps));
  /** Reads the last number each time, since another server may have written in between. */
  const writeNumbered = (table: Table, toSteps: (last: number) => readonly Step[]): Promise<void> =>
    mustWrite(async (store) => {
      const [row] = await store.read({
        name: `last ${table.name}`,
        sql: `SELECT coalesce(max(number), 0) FROM ${table.name} WHERE scope = $1`,
        values: [scope],
      });
      await store.write(toSteps(Number(row?.[0] ?? 0)));
    });
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
    change: (edits, at, by, person = '') =>
      writeNumbered(ruleChanges, (last) => toRuleSteps(scope, edits, { at, by, person, last })),
    ruleChanges: async () =>
      (
        await rowsOf(
          'rule changes',
          `SELECT body FROM rule_change WHERE scope = $1 ORDER BY number DESC ${limitTo(2)}`,
          [MAX_RULE_CHANGES],
        )
      ).map(([body]) => String(body)),
    write: (states, changes) => writeNumbered(alertChanges, (last) => toAlertSteps(scope, states, changes, last)),
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
    putSilence: (silence) => write([{ table: alertSilences, rows: [[scope, silence.id, JSON.stringify(silence)]] }]),
    dropSilences: (ids) =>
      write(
        ids.map((id) => ({
          name: 'drop silence',
          sql: 'DELETE FROM alert_silence WHERE scope = $1 AND id = $2',
          values: [scope, id],
        })),
      ),
  };
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
    ...dropped.map(({ rule, group: subject }) => ({
      name: 'drop alert state',
      sql: 'DELETE FROM alert_state WHERE scope = $1 AND rule_id = $2 AND group_name = $3',
      values: [scope, rule.id, subject],
    })),
    { table: alertChanges, rows: changes.map(({ ruleId, body }, index) => [scope, last + index + 1, ruleId, body]) },
    {
      name: 'drop old alert changes',
      sql: 'DELETE FROM alert_change WHERE scope = $1 AND number <= $2',
      values: [scope, last + changes.length - MAX_ALERT_CHANGES],
    },
  ];
}
