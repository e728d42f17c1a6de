import type { AliasTable } from '#model/tables/orders/alias-text.ts';
import type { ListState } from './list-query.ts';
import { fromOwnTexts, isHeld, toOwnId } from './own-texts.ts';
import { joinState, NO_PRIVATE_STATE, type PrivateState } from './private-state.ts';
import type { KeptState } from './private-store.ts';

/** Whether the list can be what its address means. Until then it shows no order. */
export type LinkState =
  | { readonly is: 'resolved' }
  | { readonly is: 'resolving' }
  | { readonly is: 'unknown'; readonly parts: readonly string[] };

const RESOLVED: LinkState = { is: 'resolved' };

interface LinkParts {
  /** What the address says as it is. */
  readonly shared: ListState;
  /** What it says by aliases. */
  readonly own: readonly string[];
  readonly kept: KeptState;
  /** Null until it is read. */
  readonly table: AliasTable | null;
  /** The address contains codes as they are. */
  readonly optedIn: boolean;
}

interface ResolvedLink {
  readonly list: ListState;
  /** The part of it that identifies owners. */
  readonly privateState: PrivateState;
  readonly link: LinkState;
}

export function resolveLink({ shared, own, kept, table, optedIn }: LinkParts): ResolvedLink {
  const join = (privateState: PrivateState, link = RESOLVED): ResolvedLink => ({
    list: joinState(shared, privateState),
    privateState,
    link,
  });
  // In a tab of an earlier version the address does not contain what the tab keeps.
  if (own.length === 0) return join(optedIn || kept.own.length > 0 ? NO_PRIVATE_STATE : kept);
  if (isKept(own, kept.own)) return join(kept);
  if (table === null) return join(NO_PRIVATE_STATE, { is: 'resolving' });
  const { state, unknown } = fromOwnTexts(own, table);
  return join(state, unknown.length === 0 ? RESOLVED : { is: 'unknown', parts: unknown });
}

/** Whether the tab keeps what the address says. A page that is reloaded may keep aliases that came too late for its address. */
export function isKept(own: readonly string[], kept: readonly string[]): boolean {
  return (
    own.length === kept.length &&
    own.every((text, index) => text === kept[index] || (isHeld(text) && toOwnId(text) === toOwnId(kept[index] ?? '')))
  );
}

export function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
