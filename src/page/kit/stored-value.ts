import { createListeners, onWindowEvent } from './listeners.ts';

/** A value that this browser stores. */
export interface StoredValue<Value> {
  readonly read: () => Value;
  readonly subscribe: (listener: () => void) => () => void;
  readonly write: (value: Value) => void;
  /** Changes the stored value as it is now, because another tab may just have changed it. */
  readonly update: (change: (value: Value) => Value) => void;
  readonly clear: () => void;
}

/** Stored text may come from any version, so `parse` accepts any text, and null if there is none. */
interface Codec<Value> {
  readonly parse: (text: string | null) => Value;
  readonly format: (value: Value) => string;
}

/** localStorage is shared by all tabs; sessionStorage belongs to this tab only. */
type Area = 'localStorage' | 'sessionStorage';

export type Frame = Pick<Window, Area | 'addEventListener' | 'removeEventListener' | 'dispatchEvent'>;

/** The event that a value is being stored in this tab. The storage has it once the code that stores it has run. */
export const STORED_EVENT = 'perpdesk-stored';

/**
 * Creates a value stored under a name; other tabs see changes at once. If the browser forbids storage, the value lasts
 * as long as the tab.
 */
export function createStoredValue<Value>(
  frame: Frame,
  name: string,
  { parse, format }: Codec<Value>,
  area: Area = 'localStorage',
): StoredValue<Value> {
  const load = (): Value => parse(frame[area].getItem(name));
  let current = attempt(load) ?? parse(null);
  /** Whether the storage holds the value; if not, only this tab does. */
  let isStored = true;
  const change = (next: Value): void => {
    current = next;
    notify();
  };
  const { notify, subscribe } = createListeners(
    onWindowEvent(frame, 'storage', ({ key, newValue }) => {
      if (key === name || key === null) change(parse(newValue));
    }),
  );
  const set = (next: Value): void => {
    change(next);
    frame.dispatchEvent(new Event(STORED_EVENT));
  };
  const write = (value: Value): void => {
    set(value);
    isStored = false;
    attempt(() => {
      frame[area].setItem(name, format(value));
      isStored = true;
    });
  };
  return {
    read: () => current,
    subscribe,
    write,
    update: (toNext) => {
      write(toNext((isStored ? attempt(load) : null) ?? current));
    },
    clear: () => {
      set(parse(null));
      attempt(() => {
        frame[area].removeItem(name);
      });
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Parses the fields of a JSON text of this version; any other text has none. */
export function parseFields(text: string | null, version: number): Fields {
  // Missing text parses as null without throwing: an exception on every first visit is measurably slow.
  const fields = toFields(attempt<unknown>(() => JSON.parse(text ?? 'null')));
  return fields['version'] === version ? fields : {};
}

export function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Runs a step and returns null if it throws: browsers may forbid storage, and stored text may be anything. */
export function attempt<T>(step: () => T): T | null {
  try {
    return step();
  } catch {
    return null;
  }
}
