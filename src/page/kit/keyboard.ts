import { createListeners } from './listeners.ts';

/**
 * Any letter without its own binding. It keeps its default action: it is still typed into the element with the focus.
 */
export const LETTERS = 'a–z';

/** A shortcut. `keys` is one key (`/`), two in a row (`g m`), one with Ctrl or Cmd (`Mod+k`), or `LETTERS`. */
export interface KeyBinding {
  readonly keys: string;
  readonly label: string;
  readonly group: string;
  /** Absent if the focused element handles the key itself: the binding is then only listed. */
  readonly run?: (key: string) => void;
  /** Any other binding of the same key takes precedence. */
  readonly yields?: boolean;
}

export interface Keyboard {
  /** Adds bindings until the returned function is called; the last one added for a key wins. */
  readonly add: (bindings: readonly KeyBinding[]) => () => void;
  readonly list: () => readonly KeyBinding[];
  readonly subscribe: (listener: () => void) => () => void;
  /** Returns whether the key was handled. */
  readonly press: (stroke: Stroke) => boolean;
}

interface Stroke {
  readonly key: string;
  readonly modified: boolean;
  /** A repeat of a key that is held down. */
  readonly repeated: boolean;
  /** Milliseconds of any clock. */
  readonly at: number;
  /** Whether keys without Ctrl or Cmd count: not while the user types, nor if the user switched them off. */
  readonly single: boolean;
}

/** Longest pause between two keys of a sequence. */
const SEQUENCE_MS = 1_200;

export function createKeyboard(): Keyboard {
  const { notify, subscribe } = createListeners();
  let lists: readonly (readonly KeyBinding[])[] = [];
  /** The bindings of all lists without duplicates: two grids on a page share theirs. */
  let bindings: readonly KeyBinding[] = [];
  let pendingFirst: { readonly key: string; readonly at: number } | null = null;
  /** The last key handled. While it is held down, its repeats are swallowed without running again. */
  let handled: string | null = null;

  const change = (next: typeof lists): void => {
    lists = next;
    bindings = [...new Set(next.flat())];
    notify();
  };
  const find = (keys: string): KeyBinding['run'] => {
    const bound = bindings.filter((binding) => binding.run !== undefined && binding.keys === keys);
    return (bound.findLast(({ yields }) => yields !== true) ?? bound.at(-1))?.run;
  };
  const act = (first: string | null, name: string, { key, at }: Pick<Stroke, 'key' | 'at'>): boolean => {
    const run = (first === null ? undefined : find(`${first} ${name}`)) ?? find(name);
    if (run !== undefined) run(key);
    else if (bindings.some(({ keys }) => keys.startsWith(`${name} `))) pendingFirst = { key: name, at };
    else if (/^[a-z]$/i.test(name)) find(LETTERS)?.(key);
    return run !== undefined || pendingFirst !== null;
  };

  return {
    list: () => bindings,
    subscribe,
    add: (added) => {
      change([...lists, added]);
      return () => {
        change(lists.toSpliced(lists.lastIndexOf(added), 1));
      };
    },
    press: ({ key, modified, repeated, at, single }) => {
      const name = modified ? `Mod+${key.toLowerCase()}` : key;
      if (repeated) return name === handled;
      const first = pendingFirst !== null && at - pendingFirst.at <= SEQUENCE_MS ? pendingFirst.key : null;
      pendingFirst = null;
      const isHandled = (modified || single) && act(first, name, { key, at });
      handled = isHandled ? name : null;
      return isHandled;
    },
  };
}
