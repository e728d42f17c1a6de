import { readFileSync } from 'node:fs';
import { RENAMED_COLUMNS } from '#contract/desk/csv-columns.ts';
import { join } from 'node:path';

type Stored = Readonly<Record<string, string>>;

export interface Parts {
  /** The address that the old one becomes. */
  readonly opened: string;
  /** The header of each column, its id first. */
  readonly columns?: readonly string[];
  readonly fields?: readonly string[];
  readonly [part: string]: unknown;
}

interface Look extends Parts {
  readonly address: string;
  /** Whether the tab had filters of its own. */
  readonly withTabStorage: boolean;
  /** Theme, colours and density. */
  readonly theme: readonly string[];
}

export interface Exported {
  readonly file: string;
  readonly heading?: string;
  readonly keys?: readonly string[];
}

interface EarlierBrowser {
  readonly localStorage: Stored;
  readonly sessionStorage: Stored;
  readonly ordersAddress: string;
  readonly viewsFile: string;
  readonly looks: readonly Look[];
  readonly exports: readonly { readonly address: string; readonly files: readonly Exported[] }[];
}

const json = readFileSync(join(import.meta.dirname, 'browser.json'), 'utf8');

/**
 * What the previous version left in a browser, how its screens looked at many addresses, and the first lines of its
 * exports.
 */
export const earlierBrowser = JSON.parse(json) as EarlierBrowser;

/** Returns what the columns of a heading are called now, without those that are gone. `screen` is as in the table. */
export function renameColumns(heading: string, screen: string): readonly string[] {
  const renamed = { ...RENAMED_COLUMNS['All files'], ...RENAMED_COLUMNS[screen] };
  return heading.split(',').flatMap((name) => {
    if (Object.hasOwn(renamed, name)) return renamed[name] ?? [];
    for (const [pattern, now] of Object.entries(renamed)) {
      const [before = '', after] = pattern.split('…');
      if (after === undefined || !name.startsWith(before) || !name.endsWith(after)) continue;
      return now?.replace('…', name.slice(before.length, name.length - after.length)) ?? [];
    }
    return name;
  });
}

/**
 * Returns the same with dates moved forward by whole weeks, because the exchange of the tests has a past of only two
 * years.
 */
export function earlierBrowserToday(): EarlierBrowser {
  const { madeOn } = JSON.parse(json) as { readonly madeOn: string };
  const week = 7 * 86_400_000;
  const shift = Math.floor((Date.now() - Date.parse(madeOn)) / week) * week;
  const shifted = json.replaceAll(/\b\d{4}-\d\d-\d\d(?!\d)/g, (date) =>
    new Date(Date.parse(date) + shift).toISOString().slice(0, 10),
  );
  return JSON.parse(shifted) as EarlierBrowser;
}
