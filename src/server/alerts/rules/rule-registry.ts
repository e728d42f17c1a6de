import { checkRules, MOST_RULES, type Rule, type RuleChange, type RuleMistake } from '#contract/desk/rules.ts';
import type { Scope, Viewer } from '#server/core/viewer.ts';
import type { RuleEdit, RuleStore, StoredSilence } from './rule-store.ts';
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
  /** Reads the rules from the store again, since another server may have changed them. */
  readonly reload: () => Promise<void>;
}

export function createRuleRegistry(
  store: Pick<RuleStore, 'rules' | 'authors' | 'change'>,
  stored: Stored,
  now: () => number,
): RuleRegistry {
  let rules = new Map(stored.rules.map((rule) => [rule.id, rule]));
  let authors = stored.authors;
  const inTurn = createTurns();

  const change = async (edits: readonly RuleEdit[], { name, person }: Author): Promise<readonly RuleEdit[]> => {
    const changed = edits.filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
    if (changed.length === 0) return [];
    await store.change(changed, now(), name, person);
    const [next, nextAuthors] = [new Map(rules), new Map(authors)];
    for (const { id, after } of changed) {
      nextAuthors.delete(id);
      if (after !== null && person !== '') nextAuthors.set(id, person);
      if (after === null) next.delete(id);
      else next.set(id, after);
    }
    [rules, authors] = [next, nextAuthors];
    return changed;
  };

  const put = async (
    given: readonly Rule[],
    path: (index: number) => string,
    author: Author,
  ): Promise<readonly RuleEdit[]> => {
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
    return change(
      given.map((rule) => ({ id: rule.id, before: rules.get(rule.id) ?? null, after: rule })),
      author,
    );
  };

  return {
    all: () => [...rules.values()],
    authorOf: (id) => authors.get(id) ?? '',
    enabled: () => [...rules.values()].filter(({ enabled }) => enabled),
    put: (values, path, author) => inTurn(async () => put(checkBody(values, path), path, author)),
    replace: (value, before, path, author) =>
      inTurn(async () => {
        const given = checkBody([value], () => path);
        const stale = given.find(
          ({ id }) => isUsable(rules.get(id), author) && !isDeepStrictEqual(rules.get(id) ?? null, before),
        );
        if (stale !== undefined) throw toConflict(stale, rules.has(stale.id));
        return put(given, () => path, author);
      }),
    remove: (id, author) =>
      inTurn(async () => {
        const before = rules.get(id);
        if (before === undefined || !isUsable(before, author))
          throw new VenueFailure({ type: 'bad-parameter', detail: `There is no rule "${id}".`, parameter: 'id' });
        return change([{ id, before, after: null }], author);
      }),
    reload: () =>
      inTurn(async () => {
        const [stored, saved] = await Promise.all([store.rules(), store.authors()]);
        [rules, authors] = [new Map(stored.map((rule) => [rule.id, rule])), saved];
      }),
  };
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
