import type { DeskMe } from '#contract/desk/access.ts';
import { withIncluded, type Need, type Role } from '#contract/desk/roles.ts';

/** Holds the identity of the page's user. It is null if no one has to sign in, and until it is known. */
export interface Access {
  readonly read: () => DeskMe | null;
  readonly subscribe: (listener: () => void) => () => void;
  /** The headers that every action must carry. */
  readonly headers: () => Readonly<Record<string, string>>;
  readonly change: (desk: DeskMe, headers: Readonly<Record<string, string>>) => void;
  /** Reads again who is signed in, after a sign-in, a sign-out or a denial of access by the server. */
  readonly check: () => Promise<void>;
  readonly onCheck: (check: () => Promise<void>) => void;
  /**
   * Asks the person to confirm their identity. Resolves with false if they do not, or if no way to ask is registered.
   */
  readonly confirm: () => Promise<boolean>;
  /** Registers a way to ask. The latest registered one is used. Returns a function that removes it. */
  readonly onConfirm: (ask: () => Promise<boolean>) => () => void;
}

export function createAccess(): Access {
  const listeners = new Set<() => void>();
  let known: DeskMe | null = null;
  let ofActions: Readonly<Record<string, string>> = {};
  let check = (): Promise<void> => Promise.resolve();
  let asking: readonly (() => Promise<boolean>)[] = [];
  return {
    read: () => known,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    headers: () => ofActions,
    change: (desk, headers) => {
      known = desk;
      ofActions = headers;
      for (const listener of listeners) listener();
    },
    check: () => check(),
    onCheck: (next) => {
      check = next;
    },
    confirm: () => asking.at(-1)?.() ?? Promise.resolve(false),
    onConfirm: (ask) => {
      asking = [...asking, ask];
      return () => {
        asking = asking.filter((one) => one !== ask);
      };
    },
  };
}

/**
 * Returns whether the person may use a feature with this need. If no one has to sign in, everyone may use everything.
 */
export function may(desk: DeskMe | null, needs: Need): boolean {
  if (desk === null || needs === 'nothing') return true;
  return desk.me !== null && (needs === 'signed in' || withIncluded(desk.me.roles as readonly Role[]).has(needs));
}

/** Returns a text that identifies a viewer's access: people with equal texts may see the same data. */
export function toEntitlement({ id, roles, scope }: NonNullable<DeskMe['me']>): string {
  return JSON.stringify([id, roles, scope]);
}
