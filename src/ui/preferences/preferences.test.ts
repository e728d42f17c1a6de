import { describe, expect, it } from 'vitest';
import { createPreferenceStore } from './preference-store.ts';
import { formatPreferences, parsePreferences, USUAL } from './preferences.ts';

type Frame = Parameters<typeof createPreferenceStore>[0];

function startTab(items: Map<string, string>) {
  const listeners: ((event: { key: string | null; newValue: string | null }) => void)[] = [];
  const localStorage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  };
  const frame = {
    localStorage,
    addEventListener: (_type: string, listener: (typeof listeners)[number]) => listeners.push(listener),
  } as unknown as Frame;
  const hear = (key: string | null, newValue: string | null): void => {
    for (const listener of listeners) listener({ key, newValue });
  };
  return { frame, hear };
}

const dark = { ...USUAL, theme: 'dark', zone: 'chicago' } as const;

describe('stored preferences', () => {
  it('come back as they were', () => {
    expect(parsePreferences(formatPreferences(dark))).toEqual(dark);
  });

  it.each([null, '', 'null', '[]', '{', '7', '{"version":2,"theme":"dark"}', '{"theme":"dark"}'])(
    'are the usual ones where the browser holds %s',
    (stored) => {
      expect(parsePreferences(stored)).toEqual(USUAL);
    },
  );

  it('lose only the choice that there is no more', () => {
    expect(parsePreferences('{"version":1,"theme":"sepia","zone":"chicago","extra":1}')).toEqual({ ...USUAL, zone: 'chicago' });
  });
});

describe('a store of preferences', () => {
  it('is there again in another tab, and after a reset is not', () => {
    const items = new Map<string, string>();
    const store = createPreferenceStore(startTab(items).frame);
    store.set({ theme: 'dark' });
    store.set({ zone: 'chicago' });
    expect(createPreferenceStore(startTab(items).frame).read()).toEqual(dark);
    store.reset();
    expect(store.read()).toEqual(USUAL);
    expect(createPreferenceStore(startTab(items).frame).read()).toEqual(USUAL);
  });

  it('follows what another tab chose, and nothing that is not its own', () => {
    const { frame, hear } = startTab(new Map());
    const store = createPreferenceStore(frame);
    let told = 0;
    store.subscribe(() => (told += 1));
    hear('somebody.else', formatPreferences(dark));
    expect(told).toBe(0);
    hear('perpdesk.preferences', formatPreferences(dark));
    expect(store.read()).toEqual(dark);
    expect(told).toBe(1);
  });

  it('works for the tab where the browser lets nothing be stored', () => {
    const { frame } = startTab(new Map());
    Object.defineProperty(frame, 'localStorage', {
      get: () => {
        throw new Error('SecurityError');
      },
    });
    const store = createPreferenceStore(frame);
    store.set({ theme: 'dark' });
    expect(store.read().theme).toBe('dark');
  });
});
