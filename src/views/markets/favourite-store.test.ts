import { describe, expect, it } from 'vitest';
import { createFavouriteStore } from './favourite-store.ts';

function createFrame(stored: string | null, forbidden = false) {
  const listeners = new Set<(event: StorageEvent) => void>();
  let kept = stored;
  const allowed = (): void => {
    if (forbidden) throw new Error('no storage here');
  };
  const localStorage = {
    getItem: () => {
      allowed();
      return kept;
    },
    setItem: (_: string, value: string) => {
      allowed();
      kept = value;
    },
  };
  const addEventListener = (_: string, listener: (event: StorageEvent) => void): void => void listeners.add(listener);
  const removeEventListener = (_: string, listener: (event: StorageEvent) => void): void => void listeners.delete(listener);
  const frame = { localStorage, addEventListener, removeEventListener } as unknown as Parameters<typeof createFavouriteStore>[0];
  const tell = (newValue: string): void => {
    for (const listener of listeners) listener({ key: 'perpdesk.favourites', newValue } as StorageEvent);
  };
  return { frame, tell, kept: () => kept, listening: () => listeners.size };
}

describe('favourites', () => {
  it('are kept, and gone once taken back', () => {
    const { frame, kept } = createFrame(null);
    const store = createFavouriteStore(frame);
    store.toggle(5);
    store.toggle(7);
    store.toggle(5);
    expect([...store.read()]).toEqual([7]);
    expect([...createFavouriteStore(createFrame(kept()).frame).read()]).toEqual([7]);
  });

  it('follow another tab', () => {
    const { frame, tell } = createFrame(null);
    const store = createFavouriteStore(frame);
    let told = 0;
    store.subscribe(() => (told += 1));
    tell('{"version":1,"products":[9]}');
    expect([...store.read()]).toEqual([9]);
    expect(told).toBe(1);
  });

  it('listen to other tabs only while somebody shows them', () => {
    const { frame, listening } = createFrame(null);
    const store = createFavouriteStore(frame);
    const leave = [store.subscribe(() => undefined), store.subscribe(() => undefined)];
    expect(listening()).toBe(1);
    for (const one of leave) one();
    expect(listening()).toBe(0);
  });

  it('last as long as the tab where nothing may be stored', () => {
    const store = createFavouriteStore(createFrame(null, true).frame);
    store.toggle(5);
    expect([...store.read()]).toEqual([5]);
  });

  it.each([[null], ['nonsense'], ['[5]'], ['{"version":2,"products":[5]}'], ['{"version":1}'], ['{"version":1,"products":["5",1.5,null]}']])(
    'are none where %s was stored',
    (stored) => {
      expect([...createFavouriteStore(createFrame(stored).frame).read()]).toEqual([]);
    },
  );
});
