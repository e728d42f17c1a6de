import { createStoredValue, parseFields, toFields, type Frame, type StoredValue } from './stored-value.ts';

/** A saved item as the server has it; an empty text means that it was cleared. */
export interface SavedAtDesk {
  readonly version: number;
  readonly text: string;
}

/** What this browser knows about the items saved on the server. */
export interface SavedRecord {
  /** The owner; empty if people do not sign in. */
  readonly person: string;
  readonly items: Readonly<Record<string, SavedAtDesk>>;
  /** Why an item is saved in this browser only; empty if none is, or if saving to the server was never tried. */
  readonly problem: string;
}

const PREFIX = 'perpdesk.';
export const RECORD_KEY = `${PREFIX}saved`;
export const NO_RECORD: SavedRecord = { person: '', items: {}, problem: '' };
const VERSION = 1;

export function toStorageKey(name: string): string {
  return PREFIX + name;
}

export function createRecordStore(frame: Frame): StoredValue<SavedRecord> {
  return createStoredValue(frame, RECORD_KEY, { parse: parseRecord, format: formatRecord });
}

export function formatRecord(record: SavedRecord): string {
  return JSON.stringify({ version: VERSION, ...record });
}

export function parseRecord(text: string | null): SavedRecord {
  const { person, items, problem } = parseFields(text, VERSION);
  if (typeof person !== 'string' || typeof problem !== 'string') return NO_RECORD;
  const entries = Object.entries(toFields(items)).flatMap(([name, value]) => {
    const { version: of, text: saved } = toFields(value);
    return typeof of === 'number' && typeof saved === 'string' ? [[name, { version: of, text: saved }] as const] : [];
  });
  return { person, problem, items: Object.fromEntries(entries) };
}
