import { isSavedName } from '#contract/desk/saved.ts';
import { DEFAULT_PREFERENCES, type Preferences } from '#page/kit/preferences.ts';
import { toStorageKey } from '#page/kit/saved-record.ts';
import { parseFields } from '#page/kit/stored-value.ts';

/** This browser's copy of the items that follow the person. */
export interface LocalItems {
  readonly names: () => readonly string[];
  /** Returns an empty text if there is no such item. */
  readonly read: (name: string) => string;
  readonly write: (name: string, text: string) => void;
}

/** Whether each preference follows the person. Theme and sound belong to the device. */
const OF_PERSON: Readonly<Record<keyof Preferences, boolean>> = {
  theme: false,
  palette: true,
  zone: true,
  density: true,
  singleKeys: true,
  goneOrders: true,
  hoverSources: true,
  outageSound: false,
  alertSound: false,
  alertVolume: false,
  alertNotifications: false,
};

const PREFERENCES = 'preferences';
const VERSION = 1;

export function createLocalItems(storage: Storage, onWrite: (key: string, text: string | null) => void): LocalItems {
  const load = (name: string): string | null => storage.getItem(toStorageKey(name));
  return {
    names: () => {
      const start = toStorageKey('');
      return Object.keys(storage).flatMap((key) =>
        key.startsWith(start) && isSavedName(key.slice(start.length)) ? [key.slice(start.length)] : [],
      );
    },
    read: (name) => (name === PREFERENCES ? toPersonal(load(name)) : (load(name) ?? '')),
    write: (name, text) => {
      const key = toStorageKey(name);
      const next = name === PREFERENCES ? withPersonal(load(name), text) : text;
      if (next === '') storage.removeItem(key);
      else storage.setItem(key, next);
      onWrite(key, next === '' ? null : next);
    },
  };
}

/** Returns the preferences that follow the person and differ from the default. */
function toPersonal(stored: string | null): string {
  return toText(fieldsOf(stored).filter(([name, value]) => OF_PERSON[name] && value !== DEFAULT_PREFERENCES[name]));
}

/** Combines the stored preferences of the device with the given ones of the person. */
export function withPersonal(stored: string | null, personal: string): string {
  return toText([
    ...fieldsOf(stored).filter(([name]) => !OF_PERSON[name]),
    ...fieldsOf(personal).filter(([name]) => OF_PERSON[name]),
  ]);
}

type Fields = readonly (readonly [name: keyof Preferences, value: unknown])[];

function fieldsOf(text: string | null): Fields {
  const fields = parseFields(text === '' ? null : text, VERSION);
  return (Object.keys(OF_PERSON) as (keyof Preferences)[]).flatMap((name) =>
    fields[name] === undefined ? [] : [[name, fields[name]] as const],
  );
}

function toText(fields: Fields): string {
  return fields.length === 0 ? '' : JSON.stringify({ version: VERSION, ...Object.fromEntries(fields) });
}
