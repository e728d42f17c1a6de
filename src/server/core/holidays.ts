import { readFileSync } from 'node:fs';
import { type Day, isDay } from '#contract/exchange/instant.ts';
import type { Log, Schedule } from './ports.ts';
import { watchFiles } from './watch-files.ts';

/** The holidays, or the end of a sentence about the file: "… is "file", which …". */
export type HolidaysOrProblem = { readonly holidays: ReadonlySet<Day> } | { readonly problem: string };

/** Parses a JSON array of days, or one day a line, where `#` begins a comment. */
export function parseHolidays(text: string): HolidaysOrProblem {
  const days = text.trimStart().startsWith('[') ? parseArray(text) : parseLines(text);
  if (days === null) return { problem: 'is neither a JSON array of days nor a list of one day a line' };
  const wrong = days.find((day) => typeof day !== 'string' || !isDay(day));
  return wrong === undefined
    ? { holidays: new Set(days as readonly Day[]) }
    : { problem: `has ${JSON.stringify(wrong)}, which is no day such as 2026-12-25` };
}

function parseArray(text: string): readonly unknown[] | null {
  try {
    return JSON.parse(text) as readonly unknown[];
  } catch {
    return null;
  }
}

function parseLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '');
}

export interface HolidaysFile {
  /** Null without a file. */
  readonly now: () => ReadonlySet<Day> | null;
  readonly close: () => void;
}

/** Reloads the file when it changes. After a mistake, the previous holidays stay in effect. */
export function openHolidays(
  path: string | null,
  { schedule, log }: { readonly schedule: Schedule; readonly log: Log },
): HolidaysFile {
  if (path === null) return { now: () => null, close: () => undefined };
  let holidays = mustRead(path);
  const close = watchFiles(
    () => [path],
    schedule,
    () => {
      try {
        holidays = mustRead(path);
        log('info', 'holidays loaded', { file: path });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        log('error', 'holidays not loaded', { reason: `${reason} The previous holidays remain in effect.` });
      }
    },
  );
  return { now: () => holidays, close: () => void close() };
}

function mustRead(path: string): ReadonlySet<Day> {
  const found = parseHolidays(readFileSync(path, 'utf8'));
  if ('problem' in found) throw new Error(`DESK_HOLIDAYS_FILE is "${path}", which ${found.problem}.`);
  return found.holidays;
}
