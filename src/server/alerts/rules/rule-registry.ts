import { checkRules, MOST_RULES, type Rule, type RuleChange, type RuleMistake } from '#contract/desk/rules.ts';
import type { Scope, Viewer } from '#server/core/viewer.ts';
import type { RuleEdit, RuleStore, StoredSilence } from './rule-store.ts';
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { createTurns } from '#server/core/in-turn.ts';
import { describeMistakes, VenueFailure } from '#server/core/venue-failure.ts';
import { findExpressionMistake } from './order-tests.ts';

interface Stored {
  readonly rules: readonly Rule[];
  readonly authors: ReadonlyMap<string, string>;
}

/** The rules of this server and their changes. */
export interface RuleRegistry {
  readonly all: () => readonly Rule[];
  readonly enabled: () => readonly Rule[];
  /** The person who last saved a rule; empty if unknown. */
  readonly authorOf: (id: string) => string;
  /**
   * Returns the rules with the ids under which they are saved. One who does not see all orders gives new rules ids of
   * their own, so that an id says nothing about the rules of others, used or not.
   */
  readonly adopt: (rules: readonly Rule[], author: Author) => readonly Rule[];
  /**
   * Saves all rules or none, and returns those that changed. `path` locates each in the request. Rejects changes of
   * rules that the author may not see.
   */
  readonly put: (
    values: readonly unknown[],
    path: (index: number) => string,
    author: Author,
  ) => Promise<readonly RuleEdit[]>;
  /** Replaces `before`, or adds a rule if that is null. Fails if the rule has changed since. */
  readonly replace: (value: unknown, before: Rule | null, path: string, author: Author) => Promise<readonly RuleEdit[]>;
  readonly remove: (id: string, author: Author) => Promise<readonly RuleEdit[]>;
  /** Reads the rules from the store again, since another desk may have changed them. */
  readonly reload: () => Promise<void>;
}

export function createRuleRegistry(
  store: Pick<RuleStore, 'rules' | 'authors' | 'versions' | 'change'>,
  stored: Stored,
  now: () => number,
): RuleRegistry {
  let rules = new Map(stored.rules.map((rule) => [rule.id, rule]));
  let authors = stored.authors;
  /** Of the rules in memory, or of some before them. */
  let version = 0;
  const inTurn = createTurns();

  const load = async (): Promise<void> => {
    const { rules: next } = await store.versions();
    const [kept, saved] = await Promise.all([store.rules(), store.authors()]);
    [rules, authors, version] = [new Map(kept.map((rule) => [rule.id, rule])), saved, next];
  };
  /** Decides on the rules as they are stored, although another desk may change them at the same moment. */
  const change = async (decide: () => readonly RuleEdit[], author: Author): Promise<readonly RuleEdit[]> => {
    if ((await store.versions()).rules !== version) await load();
    for (;;) {
      const changed = decide().filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
      if (changed.length === 0) return [];
      const next = await store.change(changed, now(), author.name, author.person, version);
      if (next !== null) {
        version = next;
        apply(changed, author);
        return changed;
      }
      await load();
    }
  };
  const apply = (changed: readonly RuleEdit[], { person }: Author): void => {
    const [next, nextAuthors] = [new Map(rules), new Map(authors)];
    for (const { id, after } of changed) {
      nextAuthors.delete(id);
      if (after !== null && person !== '') nextAuthors.set(id, person);
      if (after === null) next.delete(id);
      else next.set(id, after);
    }
    [rules, authors] = [next, nextAuthors];
  };

  const toEdits = (given: readonly Rule[], path: (index: number) => string, author: Author): readonly RuleEdit[] => {
    const foreign = given.flatMap((rule, index) => findForeign(rule, rules.get(rule.id), path(index), author));
    if (foreign.length > 0) throw toFailure(foreign);
    if (author.scope !== 'all' && given.some(({ channels }) => channels.length > 0)) throw toChannelRejection();
    const count = new Set([...rules.keys(), ...given.map(({ id }) => id)]).size;
    if (count > MOST_RULES)
      throw toFailure([{ path: '$', detail: `must not make more than ${String(MOST_RULES)} rules in all` }]);
    const own = new Set([
      ...given.map(({ id }) => id),
      ...[...authors].flatMap(([id, person]) => (person === author.person ? [id] : [])),
    ]).size;
    if (author.person !== '' && own > MOST_RULES_OF_PERSON)
      throw toFailure([
        {
          path: '$',
          detail:
            `must not make more than ${String(MOST_RULES_OF_PERSON)} rules that you saved last: ` +
            'delete some of them first',
        },
      ]);
    return given.map((rule) => ({ id: rule.id, before: rules.get(rule.id) ?? null, after: rule }));
  };

  return {
    all: () => [...rules.values()],
    authorOf: (id) => authors.get(id) ?? '',
    enabled: () => [...rules.values()].filter(({ enabled }) => enabled),
    adopt: (given, author) =>
      given.map((rule) =>
        rules.has(rule.id) && isUsable(rules.get(rule.id), author) ? rule : { ...rule, id: toOwnId(rule.id, author) },
      ),
    put: (values, path, author) =>
      inTurn(async () => {
        const given = checkBody(values, path);
        return change(() => toEdits(given, path, author), author);
      }),
    replace: (value, before, path, author) =>
      inTurn(async () => {
        const given = checkBody([value], () => path);
        return change(() => {
          for (const rule of given) {
            const seen = isUsable(rules.get(rule.id), author) ? (rules.get(rule.id) ?? null) : null;
            if (!isDeepStrictEqual(seen, before)) throw toConflict(rule, seen !== null);
          }
          return toEdits(given, () => path, author);
        }, author);
      }),
    remove: (id, author) =>
      inTurn(() =>
        change(() => {
          const before = rules.get(id);
          if (before === undefined || !isUsable(before, author))
            throw new VenueFailure({ type: 'bad-parameter', detail: `There is no rule "${id}".`, parameter: 'id' });
          return [{ id, before, after: null }];
        }, author),
      ),
    reload: () => inTurn(load),
  };
}

const LONGEST_BEGINNING = 55;

/** An id that is too long for the ending is cut, and the hash of all of it keeps it apart from others. */
function toOwnId(id: string, { person, scope }: Author): string {
  if (scope === 'all') return id;
  const end = toEnd(`rules of ${person}`);
  if (id.endsWith(end)) return id;
  const whole = id.length > LONGEST_BEGINNING ? toEnd(id) : '';
  return id.slice(0, LONGEST_BEGINNING - whole.length) + whole + end;
}

function toEnd(text: string): string {
  return `-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

/** Prevents one person from using up all rules. */
const MOST_RULES_OF_PERSON = MOST_RULES / 2;

/** Also applies to a rule to which another person gave channels, because the notification would contain its name. */
function toChannelRejection(): VenueFailure {
  return new VenueFailure({
    type: 'not-allowed',
    detail:
      'Only people whose scope is all orders can save a rule that notifies channels. Save it without ' +
      'channels: its alerts are shown in Perpdesk. An administrator of this Perpdesk can grant that ' +
      'scope.',
  });
}

function isUsable(rule: Rule | undefined, { scope }: Author): boolean {
  return rule === undefined || mayUseRule(scope, rule);
}

function findForeign(rule: Rule, before: Rule | undefined, path: string, author: Author): readonly RuleMistake[] {
  if (!isUsable(rule, author)) return [{ path: `${path}.filter`, detail: UNCONFINED }];
  return isUsable(before, author) ? [] : [{ path: `${path}.id`, detail: 'must be another one: it is in use' }];
}

const UNCONFINED = 'must name an account, a clearing firm or a connection whose orders you may see';

/** Rejects a rule about the orders of others. */
export function checkScope(rule: Rule, path: string, author: Author): void {
  if (!isUsable(rule, author)) throw toFailure([{ path: `${path}.filter`, detail: UNCONFINED }]);
}

/** Returns the rules; throws if any of them has a mistake. */
export function checkBody(values: readonly unknown[], path: (index: number) => string): readonly Rule[] {
  const { rules, mistakes } = checkRules(values, path);
  const all = [...mistakes, ...rules.flatMap((rule) => findExpression(rule, path(values.indexOf(rule))))];
  if (all.length > 0) throw toFailure(all);
  return rules;
}

function toConflict({ id, name }: Rule, isThere: boolean): VenueFailure {
  const what = isThere ? 'has been changed meanwhile' : 'has been deleted';
  return new VenueFailure({
    type: 'changed-meanwhile',
    detail: `The rule "${name}" (${id}) ${what}, so nothing was saved.`,
  });
}

function findExpression(rule: Rule, path: string): readonly RuleMistake[] {
  const expression = 'expression' in rule ? rule.expression : undefined;
  const detail = expression === undefined ? null : findExpressionMistake(expression);
  return detail === null ? [] : [{ path: `${path}.expression`, detail }];
}

function toFailure(mistakes: readonly RuleMistake[]): VenueFailure {
  return new VenueFailure({
    type: 'bad-body',
    detail: describeMistakes(mistakes.length, mistakes[0]?.path ?? '$'),
    errors: mistakes,
  });
}

/** The person or token that changes a rule, an alert or a silence. */
export type Author = Pick<Viewer, 'name' | 'person' | 'scope'>;

/**
 * Returns whether a rule may be seen and changed: its filter confines it to visible orders, or it is not about orders.
 * Its sentences, counts and notifications are then about visible orders only. Rules about an incomplete working set or
 * about drift are excluded, because their sentences can name anyone's orders.
 */
export function mayUseRule(scope: Scope, rule: Rule): boolean {
  if (scope === 'all') return true;
  if (rule.about === 'desk') return rule.measure !== 'incomplete' && rule.measure !== 'drift';
  if (rule.about !== 'orders' && rule.about !== 'activity') return true;
  const { account_id: account, clearing_member_code: firm, connection_id: connection } = rule.filter;
  return isIn(scope.accounts, account) || isIn(scope.firms, firm) || isIn(scope.connections, connection?.toLowerCase());
}

function isIn(codes: ReadonlySet<string>, code: string | undefined): boolean {
  return code !== undefined && codes.has(code);
}

/** Returns whether a silence may be used. A silence that names no rule also mutes the alerts of others. */
export function mayUseSilence(scope: Scope, { match }: Pick<StoredSilence, 'match'>, rules: readonly Rule[]): boolean {
  if (scope === 'all') return true;
  return rules.some((rule) => rule.id === match.rule_id && mayUseRule(scope, rule));
}

export function mayUseChange(scope: Scope, { before, after }: Pick<RuleChange, 'before' | 'after'>): boolean {
  return [before, after].every((rule) => rule === null || mayUseRule(scope, rule));
}

/** Returns a rule as it was at a time; null if that is unknown. */
export type RuleAt = (ruleId: string, at: number) => Rule | null;

/**
 * `changes` are newest first. If older ones were dropped (`isWhole` is false), nothing is known of the time before the
 * oldest.
 */
export function toRuleHistory(changes: readonly RuleChange[], rules: readonly Rule[], isWhole: boolean): RuleAt {
  const byRule = Map.groupBy(changes, ({ rule_id: id }) => id);
  const knownFrom = isWhole ? -Infinity : Date.parse(changes.at(-1)?.at ?? '');
  return (ruleId, at) => {
    if (!(at >= knownFrom)) return null;
    const own = byRule.get(ruleId) ?? [];
    const last = own.find((change) => Date.parse(change.at) <= at);
    if (last !== undefined) return last.after;
    const first = own.at(-1);
    return first === undefined ? (rules.find(({ id }) => id === ruleId) ?? null) : first.before;
  };
}
