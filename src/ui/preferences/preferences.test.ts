import { describe, expect, it } from 'vitest';
import { createFakeFrame } from '#testing/fake-frame.ts';
import { createPreferenceStore } from './preference-store.ts';
import { formatPreferences, parsePreferences, USUAL } from './preferences.ts';

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
    const { frame } = createFakeFrame();
    const store = createPreferenceStore(frame);
    store.set({ theme: 'dark' });
    store.set({ zone: 'chicago' });
    expect(createPreferenceStore(frame).read()).toEqual(dark);
    store.reset();
    expect(store.read()).toEqual(USUAL);
    expect(createPreferenceStore(frame).read()).toEqual(USUAL);
  });
});
