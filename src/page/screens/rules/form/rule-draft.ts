import type { Rule } from '#contract/desk/rules.ts';
import { findMeasure, type About, type RuleUnit } from '#contract/desk/rule-measures.ts';

/** A rule while it is made: a field may be missing, or null while what is in it is no number. */
export type RuleDraft = Readonly<Record<string, unknown>> & { readonly about: About; readonly measure: string };

const BLANK = { id: '', name: '', enabled: true, severity: 'warning', channels: [], for_seconds: 0 } as const;

const DEFAULT_VALUES: Readonly<Record<RuleUnit, number>> = {
  orders: 1_000,
  contracts: 1_000,
  USD: 1_000_000,
  seconds: 120,
  percent: 5,
  minutes: 15,
};
const DEFAULT_WINDOW_SECONDS = 1_800;

export function createDraft(): RuleDraft {
  return changeMeasure({ ...BLANK, about: 'orders', measure: 'count' }, 'orders', 'count');
}

/** Another measure: what it shares with the one before is kept, and it gets what it needs. */
export function changeMeasure(draft: RuleDraft, about: About, name: string): RuleDraft {
  const { id, name: title, enabled, severity, channels, for_seconds } = draft;
  const measure = findMeasure(about, name);
  const { unit = null, comparisons = [], hasWindow = false } = measure ?? {};
  const isKept = comparisons.some((known) => known === draft['comparison']);
  return {
    ...{ id, name: title, enabled, severity, channels, for_seconds },
    ...{ about, measure: name },
    ...subjectOf(draft, about, name),
    ...(unit !== null && {
      comparison: isKept ? draft['comparison'] : comparisons[0],
      value: draft['unit'] === unit ? draft['value'] : DEFAULT_VALUES[unit],
      unit,
    }),
    ...(hasWindow && { window_seconds: draft['window_seconds'] ?? DEFAULT_WINDOW_SECONDS }),
  };
}

function subjectOf(draft: RuleDraft, about: About, measure: string): Readonly<Record<string, unknown>> {
  if (isOfOrders(about)) return ordersOf(draft);
  if (about === 'market') return { filter: draft.about === 'market' ? draft['filter'] : {} };
  if (about === 'funding')
    return {
      base_symbol: draft['base_symbol'] ?? '',
      ...(measure === 'difference' && { against: draft['against'] ?? '' }),
    };
  return measure === 'data_age' ? { data: draft['data'] ?? 'working-orders' } : {};
}

function isOfOrders(about: About): boolean {
  return about === 'orders' || about === 'activity';
}

function ordersOf(draft: RuleDraft): Readonly<Record<string, unknown>> {
  const { each = 'all', filter = {}, expression } = draft;
  if (!isOfOrders(draft.about)) return { filter: {}, each };
  return { filter, each, ...(expression !== undefined && { expression }) };
}

/** A changed field. An empty text that need not be there is left out. */
export function changeField(draft: RuleDraft, field: string, value: unknown): RuleDraft {
  return without({ ...draft, [field]: value }, (one) => one === undefined) as RuleDraft;
}

export function changeFilter(draft: RuleDraft, field: string, value: string): RuleDraft {
  return changeField(
    draft,
    'filter',
    without({ ...filterOf(draft), [field]: value }, (one) => one === ''),
  );
}

function without(
  fields: Readonly<Record<string, unknown>>,
  isEmpty: (value: unknown) => boolean,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

export function filterOf(draft: RuleDraft): Readonly<Record<string, string>> {
  return (draft['filter'] ?? {}) as Readonly<Record<string, string>>;
}

/** What is in a field of text. */
export function textOf(draft: RuleDraft, field: string): string {
  const value = draft[field];
  return typeof value === 'string' ? value : '';
}

const LONGEST_ID = 64;

/** An id from a name, unlike those that are taken. */
export function toRuleId(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, LONGEST_ID - 4);
  const base = plain === '' ? 'rule' : plain;
  if (!taken.has(base)) return base;
  for (let number = 2; ; number++) {
    const id = `${base}-${String(number)}`;
    if (!taken.has(id)) return id;
  }
}

/** A sentence can be made of a draft that is no rule yet: what is missing is left open in it. */
export function asRule(draft: RuleDraft): Rule {
  return draft as unknown as Rule;
}
