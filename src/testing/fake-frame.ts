type Area = 'localStorage' | 'sessionStorage';

/** What of a tab's window keeps things: its storage, and its hearing of what other tabs store. */
type Frame = Pick<Window, Area | 'addEventListener' | 'removeEventListener'>;

interface FakeFrame {
  readonly frame: Frame;
  /** Another tab has stored something; without a name it has cleared all. */
  readonly hear: (key: string | null, newValue: string | null) => void;
  /** How many listen to other tabs. */
  readonly listening: () => number;
  readonly forbidStoring: () => void;
}

/** A tab of a browser that holds some things already, and forgets them with the test. */
export function createFakeFrame(held: Readonly<Record<string, string>> = {}): FakeFrame {
  const listeners = new Set<(event: StorageEvent) => void>();
  const areas = { localStorage: createStorage(held), sessionStorage: createStorage({}) };
  let forbidden = false;
  const open = (area: Area): Storage => {
    if (forbidden) throw new DOMException('No storage here.', 'SecurityError');
    return areas[area];
  };
  const frame = {
    get localStorage() {
      return open('localStorage');
    },
    get sessionStorage() {
      return open('sessionStorage');
    },
    addEventListener: (_: string, listener: (event: StorageEvent) => void): void => void listeners.add(listener),
    removeEventListener: (_: string, listener: (event: StorageEvent) => void): void => void listeners.delete(listener),
  } as Frame;
  return {
    frame,
    hear: (key, newValue) => {
      for (const listener of listeners) listener({ key, newValue } as StorageEvent);
    },
    listening: () => listeners.size,
    forbidStoring: () => {
      forbidden = true;
    },
  };
}

function createStorage(held: Readonly<Record<string, string>>): Storage {
  const items = new Map(Object.entries(held));
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  } as Storage;
}
