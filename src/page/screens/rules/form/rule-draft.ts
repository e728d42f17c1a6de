import { useState } from 'react';
import type { Rule } from '#contract/desk/rules.ts';
import { type About, findMeasure, type RuleUnit } from '#contract/desk/rule-measures.ts';

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

/** Changes what the rule measures. Fields that both measures share are kept, and required ones are added. */
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

/** Changes a field. An optional field whose text is empty is left out. */
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
