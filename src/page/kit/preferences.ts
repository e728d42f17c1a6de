import { ZONES } from '#model/format/format-time.ts';
import { createStoredValue, parseFields, type Frame, type StoredValue } from './stored-value.ts';

/** Choices of each preference, the default first. */
export const CHOICES = {
  theme: ['system', 'light', 'dark'],
  palette: ['green-red', 'red-green', 'blue-orange', 'mono'],
  zone: ZONES,
  density: ['regular', 'compact'],
  singleKeys: ['on', 'off'],
  /** Seconds for which orders that are no longer working stay in the list. */
  goneOrders: ['60', '15', '300', 'seen'],
  /** Whether a figure shows its provenance when the pointer rests on it. */
  hoverSources: ['off', 'on'],
  /** Whether the start and the end of an outage make a sound. */
  outageSound: ['off', 'on'],
  alertSound: ['off', 'chime', 'bell', 'pulse'],
  alertVolume: ['medium', 'quiet', 'loud'],
  /** Whether the browser shows notifications of new alerts while the page is not in view. */
  alertNotifications: ['off', 'on'],
} as const;

type Choices = typeof CHOICES;

/** How the user wants the screens to look; stored in this browser only. */
export type Preferences = { readonly [Name in keyof Choices]: Choices[Name][number] };
type PreferenceName = keyof Preferences;

export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'system',
  palette: 'green-red',
  zone: 'utc',
  density: 'regular',
  singleKeys: 'on',
  goneOrders: '60',
  hoverSources: 'off',
  outageSound: 'off',
  alertSound: 'off',
  alertVolume: 'medium',
  alertNotifications: 'off',
};

const VERSION = 1;

/**
 * Parses stored preferences. A choice that is unknown, or of a later version, falls back to the default.
 *
 * @internal Exported for its test.
 */
export function parsePreferences(stored: string | null): Preferences {
  const found = parseFields(stored, VERSION);
  const known = (Object.keys(CHOICES) as PreferenceName[]).filter((name) => isChoice(name, found[name]));
  return { ...DEFAULT_PREFERENCES, ...Object.fromEntries(known.map((name) => [name, found[name]])) };
}

/** @internal Exported for its test. */
export function formatPreferences(preferences: Preferences): string {
  return JSON.stringify({ version: VERSION, ...preferences });
}

function isChoice<Name extends PreferenceName>(name: Name, value: unknown): value is Preferences[Name] {
  return CHOICES[name].some((choice) => choice === value);
}

export interface PreferenceStore extends Pick<StoredValue<Preferences>, 'read' | 'subscribe'> {
  readonly set: (change: Partial<Preferences>) => void;
  readonly reset: () => void;
}

export function createPreferenceStore(frame: Frame): PreferenceStore {
  const { read, subscribe, write, clear } = createStoredValue(frame, 'perpdesk.preferences', {
    parse: parsePreferences,
    format: formatPreferences,
  });
  return {
    read,
    subscribe,
    set: (change) => {
      write({ ...read(), ...change });
    },
    reset: clear,
  };
}
