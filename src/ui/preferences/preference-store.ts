import { formatPreferences, parsePreferences, USUAL, type Preferences } from './preferences.ts';

export interface PreferenceStore {
  readonly read: () => Preferences;
  readonly subscribe: (listener: () => void) => () => void;
  readonly set: (change: Partial<Preferences>) => void;
  readonly reset: () => void;
}

const KEY = 'perpdesk.preferences';

type Frame = Pick<Window, 'localStorage' | 'addEventListener'>;

/** Preferences that other tabs see at once. A browser that forbids storing forgets them with the tab, and nothing else. */
export function createPreferenceStore(frame: Frame): PreferenceStore {
  const listeners = new Set<() => void>();
  let current = parsePreferences(attempt(() => frame.localStorage.getItem(KEY)));
  const become = (next: Preferences): void => {
    current = next;
    for (const listener of listeners) listener();
  };
  frame.addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY || key === null) become(parsePreferences(newValue));
  });
  return {
    read: () => current,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set: (change) => {
      become({ ...current, ...change });
      attempt(() => {
        frame.localStorage.setItem(KEY, formatPreferences(current));
      });
    },
    reset: () => {
      become(USUAL);
      attempt(() => {
        frame.localStorage.removeItem(KEY);
      });
    },
  };
}

function attempt<T>(step: () => T): T | null {
  try {
    return step();
  } catch {
    return null;
  }
}
