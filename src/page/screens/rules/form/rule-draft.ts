import { useState } from 'react';
import { ORDER_KINDS, ORDER_LIMITS, type OrderKind } from '#contract/desk/rule-filters.ts';
import type { Rule } from '#contract/desk/rules.ts';
import { type About, findMeasure, type Measure, type RuleUnit } from '#contract/desk/rule-measures.ts';

interface StoredDraft {
  readonly draft: RuleDraft;
  /** The version from which the draft started, to detect that another person has changed the rule since. */
  readonly of: string;
}

/** Returns the version from which an unsaved draft started; null if there is no draft. */
export function findDraftOrigin(key: string): RuleDraft | null {
  const stored = read(toName(key));
  return stored === null ? null : toOrigin(stored);
}

function toOrigin({ of }: StoredDraft): RuleDraft {
  return JSON.parse(of) as RuleDraft;
}

/** Keeps an unsaved draft with its tab, so that leaving the form loses nothing. */
export function useStoredDraft(key: string, original: RuleDraft) {
  const name = toName(key);
  const of = JSON.stringify(original);
  const [stored, setStored] = useState(() => read(name));
  const draft = stored?.draft ?? original;
  const isChanged = stored !== null && JSON.stringify(stored.draft) !== of;
  return {
    draft,
    isChanged,
    /** The version from which the draft started, if the rule has changed since; otherwise null. */
    outdated: stored !== null && stored.of !== of ? toOrigin(stored) : null,
    change: (next: RuleDraft): void => {
      const changed = { draft: next, of: stored?.of ?? of };
      setStored(changed);
      write(name, JSON.stringify(changed));
    },
    discard: (): void => {
      setStored(null);
      write(name, null);
    },
  };
}

function toName(key: string): string {
  return `perpdesk.rule-draft.${key}`;
}

function read(name: string): StoredDraft | null {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null') as StoredDraft | null;
  } catch {
    return null;
  }
}

/** Stores the draft. If the browser stores nothing, the draft lasts as long as the form. */
function write(name: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, text);
  } catch {
    // The draft then lasts as long as the form.
  }
}

/** A rule being edited. Fields may be missing, or null while their text is not a number. */
export type RuleDraft = Readonly<Record<string, unknown>> & { readonly about: About; readonly measure: string };

/** What fields of the form get. */
export interface RuleFieldsProps {
  readonly draft: RuleDraft;
  readonly change: (draft: RuleDraft) => void;
  /** Returns the mistake in a field, by the field’s path. */
  readonly mistakeOf: (field: string) => string | undefined;
}

const BLANK = { id: '', name: '', enabled: true, severity: 'warning', channels: [], for_seconds: 0 } as const;

const DEFAULT_VALUES: Readonly<Record<RuleUnit, number>> = {
  'orders': 1_000,
  'contracts': 1_000,
  'USD': 1_000_000,
  'seconds': 120,
  'percent': 5,
  'percent per 8 h': 0.05,
  'percent APR': 50,
  'minutes': 15,
};
const DEFAULT_WINDOW_SECONDS = 1_800;

export function createDraft(): RuleDraft {
  return changeMeasure({ ...BLANK, about: 'orders', measure: 'count' }, 'orders', 'count');
}

/** A rule about a product's price, which another screen proposes. */
export function createPriceDraft(symbol: string, price: string): RuleDraft {
  const name = `Price of ${symbol}`;
  return {
    ...changeComparison(changeMeasure(createDraft(), 'market', 'price'), 'crosses'),
    name,
    id: toRuleId(name, new Set()),
    filter: { symbol },
    ...(price !== '' && Number.isFinite(Number(price)) && { value: Number(price) }),
  };
}

/** Changes what the rule measures. Fields that both measures share are kept, and required ones are added. */
export function changeMeasure(draft: RuleDraft, about: About, name: string): RuleDraft {
  const { id, name: title, enabled, severity, channels, for_seconds } = draft;
  const { keep_seconds, at_most_every_seconds, hours } = draft;
  const measure = findMeasure(about, name);
  return {
    ...{ id, name: title, enabled, severity, channels, for_seconds },
    ...without({ keep_seconds, at_most_every_seconds, hours }, (one) => one === undefined),
    ...{ about, measure: name },
    ...without({ escalate: draft['escalate'], repeat_seconds: draft['repeat_seconds'] }, (one) => one === undefined),
    ...subjectOf(draft, about, name),
    ...(isOfOne(draft, about, name) ? OVER_NONE : comparedOf(draft, measure)),
    ...(measure?.hasWindow === true && { window_seconds: draft['window_seconds'] ?? DEFAULT_WINDOW_SECONDS }),
  };
}

function comparedOf(
  draft: RuleDraft,
  { unit, otherUnits = [], comparisons }: Pick<Measure, 'unit' | 'otherUnits' | 'comparisons'> = NOTHING,
): Fields {
  if (unit === null) return {};
  const isKept = comparisons.some((known) => known === draft['comparison']);
  const isSame = [unit, ...otherUnits].some((known) => known === draft['unit']);
  const { comparison, value, clear_value: clear } = draft;
  return {
    comparison: isKept ? comparison : comparisons[0],
    value: isSame ? value : DEFAULT_VALUES[unit],
    unit: isSame ? draft['unit'] : unit,
    ...(isKept && isSame && clear !== undefined && { clear_value: clear }),
  };
}

const NOTHING = { unit: null, comparisons: [] } as const;

/** Of one order, there is no number to compare. */
export function isOfOne({ each }: RuleDraft, about: About, measure: string): boolean {
  return about === 'orders' && each === 'order' && (measure === 'count' || measure === 'twins');
}

const OVER_NONE = { comparison: 'over', value: 0, unit: 'orders' } as const;

/** Changes what the rule is evaluated for. */
export function changeEach(draft: RuleDraft, each: string): RuleDraft {
  const changed = changeField(draft, 'each', each);
  if (each !== 'order') return changeField(changed, 'new_only', undefined);
  const renewed = draft['new_only'] === undefined ? changeField(changed, 'new_only', true) : changed;
  return isOfOne(renewed, draft.about, draft.measure)
    ? changeField({ ...renewed, ...OVER_NONE }, 'clear_value', undefined)
    : renewed;
}

type Fields = Readonly<Record<string, unknown>>;

function subjectOf(draft: RuleDraft, about: About, measure: string): Readonly<Record<string, unknown>> {
  if (isOfOrders(about)) return about === 'activity' ? activityOf(ordersOf(draft)) : ordersOf(draft);
  if (about === 'market') return { filter: draft.about === 'market' ? draft['filter'] : {} };
  if (about === 'funding' && measure === 'time_left') return {};
  if (about === 'funding')
    return { ...perpetualsOf(draft), ...(measure === 'difference' && { against: draft['against'] ?? '' }) };
  return measure === 'data_age' ? { data: draft['data'] ?? 'working-orders' } : {};
}

/** A rule without a perpetual is about every one, except that before, it was about something else. */
function perpetualsOf({ about, measure, base_symbol: one, base_symbols: several }: RuleDraft) {
  if (several !== undefined) return { base_symbols: several };
  return one === undefined && about === 'funding' && measure !== 'time_left' ? {} : { base_symbol: one ?? '' };
}

/** The perpetuals that a rule about funding is evaluated for. */
export type PerpetualChoice = 'one' | 'several' | 'every';

export function perpetualChoiceOf({ base_symbol: one, base_symbols: several }: RuleDraft): PerpetualChoice {
  if (several !== undefined) return 'several';
  return one === undefined ? 'every' : 'one';
}

/** Keeps the perpetuals that were chosen before, as far as that is possible. */
export function choosePerpetuals(draft: RuleDraft, choice: PerpetualChoice): RuleDraft {
  const { base_symbol: one, base_symbols: several, ...rest } = draft;
  const chosen = Array.isArray(several) ? several : one === undefined || one === '' ? [] : [one];
  if (choice === 'several') return { ...rest, base_symbols: chosen };
  return choice === 'one' ? { ...rest, base_symbol: (chosen[0] as unknown) ?? '' } : rest;
}

/** A crossing is a moment, so it lasts for no time. */
export function changeComparison(draft: RuleDraft, comparison: string): RuleDraft {
  return { ...draft, comparison, ...(comparison === 'crosses' && { for_seconds: 0 }) };
}

function isOfOrders(about: About): boolean {
  return about === 'orders' || about === 'activity';
}

function ordersOf(draft: RuleDraft): Readonly<Record<string, unknown>> {
  const { each = 'all', filter = {}, expression, new_only: isNewOnly } = draft;
  if (!isOfOrders(draft.about)) return { filter: {}, each };
  return {
    filter,
    each,
    ...(expression !== undefined && { expression }),
    ...(isNewOnly !== undefined && { new_only: isNewOnly }),
  };
}

/** What happened is counted by owner or product, of orders of any age and size. */
function activityOf({ filter, each, expression }: Fields): Fields {
  const isLimit = (name: string): boolean => ORDER_LIMITS.some((limit) => limit === name);
  const kept = Object.entries(filter as Fields).filter(([name]) => !isLimit(name));
  return {
    ...(expression !== undefined && { expression }),
    filter: Object.fromEntries(kept),
    each: each === 'order' ? 'all' : each,
  };
}

/** Changes a field. An optional field whose text is empty is left out. */
export function changeField(draft: RuleDraft, field: string, value: unknown): RuleDraft {
  return without({ ...draft, [field]: value }, (one) => one === undefined) as RuleDraft;
}

/** Changes a filter. One without a value is left out. */
export function changeFilter(draft: RuleDraft, field: string, value: unknown): RuleDraft {
  return changeField(
    draft,
    'filter',
    without({ ...filterOf(draft), [field]: value }, (one) => one === '' || one === undefined),
  );
}

/** Returns a limit of the filter; null if there is none. */
export function limitOf(draft: RuleDraft, name: (typeof ORDER_LIMITS)[number]): number | null {
  const value: unknown = filterOf(draft)[name];
  return typeof value === 'number' ? value : null;
}

/** Returns the kinds of orders that the filter selects: all if it names none. */
export function kindsOf(draft: RuleDraft): readonly OrderKind[] {
  const kinds: unknown = filterOf(draft)['kinds'];
  return Array.isArray(kinds) ? (kinds as readonly OrderKind[]) : ORDER_KINDS;
}

function without(
  fields: Readonly<Record<string, unknown>>,
  isEmpty: (value: unknown) => boolean,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

/** Returns the filters that are texts. */
export function filterOf(draft: RuleDraft): Readonly<Record<string, string>> {
  return (draft['filter'] ?? {}) as Readonly<Record<string, string>>;
}

/** Returns the products that a rule lists; undefined if it is about all that match its filter. */
export function listedProductsOf(draft: RuleDraft): readonly string[] | undefined {
  return (draft['filter'] as { readonly symbols?: readonly string[] } | undefined)?.symbols;
}

/** Returns the content of a text field. */
export function textOf(draft: RuleDraft, field: string): string {
  const value = draft[field];
  return typeof value === 'string' ? value : '';
}

const LONGEST_ID = 64;

/** Derives an id from a name, different from all taken ids. */
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

/** Treats an incomplete draft as a rule, to write its sentence with the missing parts left open. */
export function asRule(draft: RuleDraft): Rule {
  return draft as unknown as Rule;
}
