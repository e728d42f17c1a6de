import { createListeners } from '../listeners.ts';

/** Any letter that is bound to nothing else. It is not taken: it is still typed into whatever has the keyboard by then. */
export const LETTERS = 'a–z';

/** What a key does. `keys` is one key (`/`), two in a row (`g m`), one with Ctrl or Cmd (`Mod+k`), or `LETTERS`. */
export interface KeyBinding {
  readonly keys: string;
  readonly does: string;
  readonly group: string;
  /** Absent: what has the keyboard hears it itself; here it is only listed. */
  readonly run?: (key: string) => void;
  /** Gives way to any other binding of its key, whichever was added first. */
  readonly yields?: boolean;
}

export interface Keyboard {
  /** Bindings hold until the returned function is called; the last one added for a key wins. */
  readonly add: (bindings: readonly KeyBinding[]) => () => void;
  readonly list: () => readonly KeyBinding[];
  readonly subscribe: (listener: () => void) => () => void;
  /** Whether the key was one of ours. */
  readonly press: (stroke: Stroke) => boolean;
}

interface Stroke {
  readonly key: string;
  readonly modified: boolean;
  /** Whether it comes of a key that is held down. */
  readonly repeated: boolean;
  /** Milliseconds, of any clock. */
  readonly at: number;
  /** Whether keys without Ctrl or Cmd count: not while typing, nor where the reader switched them off. */
  readonly single: boolean;
}

/** Between two keys of a sequence. */
const PATIENCE_MS = 1_200;

export function createKeyboard(): Keyboard {
  const { tell, subscribe } = createListeners();
  let lists: readonly (readonly KeyBinding[])[] = [];
  /** Those of all lists, each once: two grids on a page have the same keys. */
  let bindings: readonly KeyBinding[] = [];
  let held: { readonly key: string; readonly at: number } | null = null;
  /** The key that was one of ours last: held down, it stays ours and does nothing more. */
  let taken: string | null = null;

  const change = (next: typeof lists): void => {
    lists = next;
    bindings = [...new Set(next.flat())];
    tell();
  };
  const find = (keys: string): KeyBinding['run'] => {
    const bound = bindings.filter((binding) => binding.run !== undefined && binding.keys === keys);
    return (bound.findLast(({ yields }) => yields !== true) ?? bound.at(-1))?.run;
  };
  const act = (first: string | null, name: string, { key, at }: Pick<Stroke, 'key' | 'at'>): boolean => {
    const run = (first === null ? undefined : find(`${first} ${name}`)) ?? find(name);
    if (run !== undefined) run(key);
    else if (bindings.some(({ keys }) => keys.startsWith(`${name} `))) held = { key: name, at };
    else if (/^[a-z]$/i.test(name)) find(LETTERS)?.(key);
    return run !== undefined || held !== null;
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
      if (repeated) return name === taken;
      const first = held !== null && at - held.at <= PATIENCE_MS ? held.key : null;
      held = null;
      const isOurs = (modified || single) && act(first, name, { key, at });
      taken = isOurs ? name : null;
      return isOurs;
    },
  };
}
