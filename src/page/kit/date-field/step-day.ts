import { readDay } from '#model/format/day.ts';

const DAY_MS = 86_400_000;
const LENGTH = 'YYYY-MM-DD'.length;

/** The day that an entered text begins with; null where it begins with none. */
export function leadingDay(text: string): string | null {
  return readDay(text.trimStart().slice(0, LENGTH));
}

/** The text some days later, or earlier if negative, with its time of day unchanged; null where it begins with no day, or the calendar ends. */
export function stepDay(text: string, count: number): string | null {
  const day = leadingDay(text);
  if (day === null) return null;
  const moved = readDay(new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, LENGTH));
  return moved && withDay(text, moved);
}

/** Another day, at the same time of day. */
export function withDay(text: string, day: string): string {
  return leadingDay(text) === null ? day : `${day}${text.trim().slice(LENGTH)}`;
}

/** Why a text is not taken. The example shows the form. */
export function describeNoDay(text: string, example: string): string {
  return `“${text.trim()}” is no date. Write it as ${example}.`;
}
