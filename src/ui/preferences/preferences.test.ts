import { describe, expect, it } from 'vitest';
import { createFakeFrame } from '#testing/fake-frame.ts';
import { createPreferenceStore, formatPreferences, parsePreferences, DEFAULT_PREFERENCES } from './preferences.ts';

const dark = { ...DEFAULT_PREFERENCES, theme: 'dark', zone: 'chicago' } as const;

describe('stored preferences', () => {
  it('come back as they were', () => {
    expect(parsePreferences(formatPreferences(dark))).toEqual(dark);
  });

  it.each([null, '', 'null', '[]', '{', '7', '{"version":2,"theme":"dark"}', '{"theme":"dark"}'])(
    'are the usual ones where the browser holds %s',
    (stored) => {
      expect(parsePreferences(stored)).toEqual(DEFAULT_PREFERENCES);
    },
  );

  it('lose only the choice that there is no more', () => {
    expect(parsePreferences('{"version":1,"theme":"sepia","zone":"chicago","extra":1}')).toEqual({ ...DEFAULT_PREFERENCES, zone: 'chicago' });
  });
});

describe('a store of preferences', () => {
  it('is there again in another tab, and after a reset is not', () => {
    const { frame } = createFakeFrame();
    const store = createPreferenceStore(frame);
    store.set({ theme: 'dark' });
    store.set({ zone: 'chicago' });
    expect(createPreferenceStore(frame).read()).toEqual(dark);
    store.reset();
    expect(store.read()).toEqual(DEFAULT_PREFERENCES);
    expect(createPreferenceStore(frame).read()).toEqual(DEFAULT_PREFERENCES);
  });
});
