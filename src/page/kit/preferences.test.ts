import { describe, expect, it } from 'vitest';
import { createFakeFrame } from '#testing/fake-frame.ts';
import { createPreferenceStore, formatPreferences, parsePreferences, DEFAULT_PREFERENCES } from './preferences.ts';

const dark = { ...DEFAULT_PREFERENCES, theme: 'dark', zone: 'chicago' } as const;

describe('stored preferences', () => {
  it('survive a round trip', () => {
    expect(parsePreferences(formatPreferences(dark))).toEqual(dark);
  });

  it.each([null, '', 'null', '[]', '{', '7', '{"version":2,"theme":"dark"}', '{"theme":"dark"}'])(
    'are the defaults where the browser holds %s',
    (stored) => {
      expect(parsePreferences(stored)).toEqual(DEFAULT_PREFERENCES);
    },
  );

  it('lose only an unknown choice', () => {
    expect(parsePreferences('{"version":1,"theme":"sepia","zone":"chicago","extra":1}')).toEqual({
      ...DEFAULT_PREFERENCES,
      zone: 'chicago',
    });
  });
});

describe('a preference store', () => {
  it('is shared with other tabs, and returns to the defaults after a reset', () => {
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
