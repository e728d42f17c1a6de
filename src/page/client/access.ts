import type { DeskMe } from '#contract/desk/access.ts';
import { withIncluded, type Need, type Role } from '#contract/desk/roles.ts';

/** Who uses this page: null where nobody signs in, and until it is known. */
export interface Access {
  readonly read: () => DeskMe | null;
  readonly subscribe: (listener: () => void) => () => void;
  /** Headers of each action. */
  readonly headers: () => Readonly<Record<string, string>>;
  readonly change: (desk: DeskMe, headers: Readonly<Record<string, string>>) => void;
  /** Reads again who is signed in: somebody has signed in or out, or a response was that one may not. */
  readonly check: () => Promise<void>;
  readonly onCheck: (check: () => Promise<void>) => void;
  /** Has the person confirm that it is them. False: they did not, or nothing on the page can ask. */
  readonly confirm: () => Promise<boolean>;
  /** Of several that can ask, the last one does. Returns a function that ends it. */
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

/** Whether one may use what needs this. Where nobody signs in, all may use all. */
export function may(desk: DeskMe | null, needs: Need): boolean {
  if (desk === null || needs === 'nothing') return true;
  return desk.me !== null && (needs === 'signed in' || withIncluded(desk.me.roles as readonly Role[]).has(needs));
}

/** Who may see what, as a text: equal texts may see the same. */
export function toEntitlement({ id, roles, scope }: NonNullable<DeskMe['me']>): string {
  return JSON.stringify([id, roles, scope]);
}
