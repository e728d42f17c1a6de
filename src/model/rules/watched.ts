import type { Rule } from '#contract/desk/rules.ts';
import { countOf } from '../format/count.ts';
import { isMissing, type Evaluation } from './readings.ts';
import { isOfOrders, nounOfGroups } from './rule-groups.ts';

/** What a rule is about at present. */
export interface Watched {
  /** Such as `36 accounts`; null: it is for all together. */
  readonly what: string | null;
  /** Why that is nothing, in words: a rule that is about nothing never fires. Null where it is about something. */
  readonly nothing: string | null;
}

/** `hasMatched`: whether any order matches its filter, or ever did. Null: it is not known. */
export function findWatched(rule: Rule, evaluation: Evaluation, hasMatched: boolean): Watched | null {
  if (isMissing(evaluation)) return null;
  const noun = nounOfGroups(rule);
  // Of a product that is not listed any more, there are no data.
  const count = evaluation.filter(({ evidence }) => rule.about !== 'market' || evidence.products.length > 0).length;
  const isUnmatched = isOfOrders(rule) && !hasMatched && Object.keys(rule.filter).length > 0;
  const nothing = isUnmatched ? nameUnmatched(rule.filter) : noun !== null && count === 0 ? noun : null;
  return {
    what: noun === null ? null : countOf(count, noun),
    nothing: nothing === null ? null : `no ${nothing} matches`,
  };
}

const NOUNS: Readonly<Record<string, string>> = {
  account_id: 'account',
  clearing_member_code: 'clearing firm',
  connection_id: 'connection',
};

/** Of a filter with several fields, each may match orders that the others do not. */
function nameUnmatched(filter: Readonly<Record<string, unknown>>): string {
  const [first = '', ...others] = Object.keys(filter);
  return others.length > 0 ? 'order' : (NOUNS[first] ?? 'order');
}

/** `Watches nothing: no product matches`. */
export function describeNothing(nothing: string): string {
  return `Watches nothing: ${nothing}`;
}
