import { parseFields } from '../kept-value.ts';

/** Choices of each preference, the usual one first. */
export const CHOICES = {
  theme: ['system', 'light', 'dark'],
  palette: ['green-red', 'red-green', 'blue-orange', 'mono'],
  zone: ['utc', 'local', 'chicago'],
  density: ['regular', 'compact'],
  singleKeys: ['on', 'off'],
} as const;

type Choices = typeof CHOICES;

/** How a reader wants the screens; kept in this browser only. */
export type Preferences = { readonly [Name in keyof Choices]: Choices[Name][number] };
type PreferenceName = keyof Preferences;
export type Zone = Preferences['zone'];

export const USUAL: Preferences = {
  theme: 'system',
  palette: 'green-red',
  zone: 'utc',
  density: 'regular',
  singleKeys: 'on',
};

const VERSION = 1;

/** Reads what was stored. A choice that there is no more, or a later version's, falls back to the usual one. */
export function parsePreferences(stored: string | null): Preferences {
  const found = parseFields(stored, VERSION);
  const known = (Object.keys(CHOICES) as PreferenceName[]).filter((name) => isChoice(name, found[name]));
  return { ...USUAL, ...Object.fromEntries(known.map((name) => [name, found[name]])) };
}

export function formatPreferences(preferences: Preferences): string {
  return JSON.stringify({ version: VERSION, ...preferences });
}

function isChoice<Name extends PreferenceName>(name: Name, value: unknown): value is Preferences[Name] {
  return CHOICES[name].some((choice) => choice === value);
}
