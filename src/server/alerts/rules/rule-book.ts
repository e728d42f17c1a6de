import { isDeepStrictEqual } from 'node:util';
import { checkRules, MOST_RULES, type Rule, type RuleMistake } from '#contract/desk/rules.ts';
import { createTurns } from '#server/core/in-turn.ts';
import { describeMistakes } from '#server/core/describe-mistakes.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { findExpressionMistake } from './expression.ts';
import { mayUseRule, type Author } from './rule-scope.ts';
import type { RuleEdit, RuleStore } from './rule-store.ts';

interface Stored {
  readonly rules: readonly Rule[];
  readonly authors: ReadonlyMap<string, string>;
}

/** The rules of this desk, and every change of them. */
export interface RuleBook {
  readonly all: () => readonly Rule[];
  readonly enabled: () => readonly Rule[];
  /** The person who saved it last; empty: nobody in particular. */
  readonly authorOf: (id: string) => string;
  /** All of them or none; returns what has changed. `path`: where each is in what was given. Nobody changes rules that they may not see. */
  readonly put: (
    values: readonly unknown[],
    path: (index: number) => string,
    author: Author,
  ) => Promise<readonly RuleEdit[]>;
  /** One that replaces `before`, or is new where that is null; fails if it is another one by now. */
  readonly replace: (value: unknown, before: Rule | null, path: string, author: Author) => Promise<readonly RuleEdit[]>;
  readonly remove: (id: string, author: Author) => Promise<readonly RuleEdit[]>;
  /** As the store has them: another desk may have changed them. */
  readonly reload: () => Promise<void>;
}

export function createRuleBook(
  store: Pick<RuleStore, 'rules' | 'authors' | 'change'>,
  stored: Stored,
  now: () => number,
): RuleBook {
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
    if (author.scope !== 'all' && given.some(({ channels }) => channels.length > 0)) throw toChannelRefusal();
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
          detail: `must not make more than ${String(MOST_RULES_OF_PERSON)} rules that you saved last: delete some of them first`,
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

/** So that no one person keeps the others from saving one. */
const MOST_RULES_OF_PERSON = MOST_RULES / 2;

/** Also for a rule that somebody else gave channels: its name would be read by whoever is called. */
function toChannelRefusal(): VenueFailure {
  return new VenueFailure({
    type: 'not-allowed',
    detail:
      'Only people whose scope is all orders can save a rule that calls channels. Save it without channels: its alerts are shown in Perpdesk. An administrator of this Perpdesk can grant that scope.',
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

/** Rejects a rule that is about orders of others. */
export function checkScope(rule: Rule, path: string, author: Author): void {
  if (!isUsable(rule, author)) throw toFailure([{ path: `${path}.filter`, detail: UNCONFINED }]);
}

/** The rules, if none of them has a mistake. */
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
