import { createListeners, hear } from './listeners.ts';

/** What a reader has chosen, kept in this browser. */
export interface KeptValue<Value> {
  readonly read: () => Value;
  readonly subscribe: (listener: () => void) => () => void;
  readonly write: (value: Value) => void;
  readonly forget: () => void;
}

/** How it is written. What was kept may be of any age: `parse` takes whatever there is, null for nothing. */
interface Form<Value> {
  readonly parse: (text: string | null) => Value;
  readonly format: (value: Value) => string;
}

/** localStorage is shared by all tabs; sessionStorage is this tab only. */
type Area = 'localStorage' | 'sessionStorage';

export type Frame = Pick<Window, Area | 'addEventListener' | 'removeEventListener'>;

/**
 * A value under a name, which other tabs see at once. A browser that forbids storing forgets it with the tab, and nothing
 * else.
 */
export function createKeptValue<Value>(frame: Frame, name: string, { parse, format }: Form<Value>, area: Area = 'localStorage'): KeptValue<Value> {
  let current = parse(attempt(() => frame[area].getItem(name)));
  const become = (next: Value): void => {
    current = next;
    tell();
  };
  const { tell, subscribe } = createListeners(
    hear(frame, 'storage', ({ key, newValue }) => {
      if (key === name || key === null) become(parse(newValue));
    }),
  );
  return {
    read: () => current,
    subscribe,
    write: (value) => {
      become(value);
      attempt(() => {
        frame[area].setItem(name, format(value));
      });
    },
    forget: () => {
      become(parse(null));
      attempt(() => {
        frame[area].removeItem(name);
      });
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a JSON text of this version; of any other text none. */
export function parseFields(text: string | null, version: number): Fields {
  // Missing text parses as null without throwing: an exception on every first visit is measurably slow.
  const fields = toFields(attempt<unknown>(() => JSON.parse(text ?? 'null')));
  return fields['version'] === version ? fields : {};
}

export function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function attempt<T>(step: () => T): T | null {
  try {
    return step();
  } catch {
    return null;
  }
}
