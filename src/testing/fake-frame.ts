type Area = 'localStorage' | 'sessionStorage';

/** The parts of a window that concern storage. */
type Frame = Pick<Window, Area | 'addEventListener' | 'removeEventListener' | 'dispatchEvent'>;

interface FakeFrame {
  readonly frame: Frame;
  /** Reports that another tab has changed the storage; a null key means that it was cleared. */
  readonly changeStorage: (key: string | null, newValue: string | null) => void;
  /** The listeners for storage events. */
  readonly listenerCount: () => number;
  readonly forbidStorage: () => void;
}

/** Creates a browser tab with stored items, for the duration of a test. */
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
    dispatchEvent: () => true,
  } as Frame;
  return {
    frame,
    changeStorage: (key, newValue) => {
      for (const listener of listeners) listener({ key, newValue } as StorageEvent);
    },
    listenerCount: () => listeners.size,
    forbidStorage: () => {
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
