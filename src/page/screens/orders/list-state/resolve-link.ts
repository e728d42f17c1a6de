import { createStoredValue, type Frame, type StoredValue } from '#page/kit/stored-value.ts';
import { type ListState, readListState, writeListState } from './list-query.ts';
import {
  fromOwnTexts,
  isHeld,
  joinState,
  NO_PRIVATE_STATE,
  type PrivateState,
  readOwnTexts,
  toOwnId,
  writeOwnTexts,
} from './private-state.ts';
import type { AliasTable } from '#model/tables/orders/alias-text.ts';

export interface KeptState extends PrivateState {
  /** The state as the address contains it. Empty for a tab of an earlier version, whose addresses omitted it. */
  readonly own: readonly string[];
}

/** Stores the private state, as it was entered, for the lifetime of the tab. */
export function createPrivateStore(frame: Frame, name: string, columns: readonly string[]): StoredValue<KeptState> {
  const parse = (text: string | null): KeptState => {
    const query = new URLSearchParams(text ?? '');
    const { filters, quick, view } = readListState(query, columns);
    return { filters, quick, view, own: readOwnTexts(query) };
  };
  return createStoredValue(frame, `perpdesk.${name}.own`, { parse, format: formatKeptState }, 'sessionStorage');
}

function formatKeptState({ own, ...state }: KeptState): string {
  const query = new URLSearchParams();
  writeListState(query, { ...state, sorts: [], grouping: [], columns: null });
  writeOwnTexts(query, own);
  return query.toString();
}

/** Whether the meaning of the list's address is known. Until then the list shows no orders. */
export type LinkState =
  | { readonly is: 'resolved' }
  | { readonly is: 'resolving' }
  | { readonly is: 'unknown'; readonly parts: readonly string[] };

const RESOLVED: LinkState = { is: 'resolved' };

interface LinkInputs {
  /** The part that the address contains literally. */
  readonly shared: ListState;
  /** The part that the address contains as aliases. */
  readonly own: readonly string[];
  readonly kept: KeptState;
  /** Null until it has been read. */
  readonly table: AliasTable | null;
  /** Whether the address contains codes instead of aliases. */
  readonly optedIn: boolean;
}

interface ResolvedLink {
  readonly list: ListState;
  /** The part of the list's state that identifies owners. */
  readonly privateState: PrivateState;
  readonly link: LinkState;
}

export function resolveLink({ shared, own, kept, table, optedIn }: LinkInputs): ResolvedLink {
  const join = (privateState: PrivateState, link = RESOLVED): ResolvedLink => ({
    list: joinState(shared, privateState),
    privateState,
    link,
  });
  // Addresses of an earlier version omit the state that the tab keeps, so the tab's own state applies.
  if (own.length === 0) return join(optedIn || kept.own.length > 0 ? NO_PRIVATE_STATE : kept);
  if (isKept(own, kept.own)) return join(kept);
  if (table === null) return join(NO_PRIVATE_STATE, { is: 'resolving' });
  const { state, unknown } = fromOwnTexts(own, table);
  return join(state, unknown.length === 0 ? RESOLVED : { is: 'unknown', parts: unknown });
}

/**
 * Returns whether the tab's state matches the address. After a reload, the tab may know aliases that arrived too late
 * for its address.
 */
export function isKept(own: readonly string[], kept: readonly string[]): boolean {
  return (
    own.length === kept.length &&
    own.every((text, index) => text === kept[index] || (isHeld(text) && toOwnId(text) === toOwnId(kept[index] ?? '')))
  );
}

export function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
