import { createStoredValue, parseFields, type Frame } from './stored-value.ts';

export interface RecentlyViewed {
  /** The latest first. */
  readonly read: () => readonly string[];
  readonly add: (name: string) => void;
}

const VERSION = 1;
/** As many as anyone goes back and forth between. */
const KEPT = 8;

/** What was recently viewed of a kind, such as products, on any screen. */
export function createRecentlyViewed(frame: Frame, kind: string): RecentlyViewed {
  const { read, write } = createStoredValue(frame, `perpdesk.recent.${kind}`, {
    parse: parseNames,
    format: (names: readonly string[]) => JSON.stringify({ version: VERSION, names }),
  });
  return {
    read,
    add: (name) => {
      const names = read();
      if (names[0] !== name) write([name, ...names.filter((each) => each !== name)].slice(0, KEPT));
    },
  };
}

function parseNames(text: string | null): readonly string[] {
  const { names } = parseFields(text, VERSION);
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
