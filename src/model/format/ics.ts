/** One event of a calendar file. It has a beginning and no duration. */
export interface CalendarEvent {
  /** Stays the same from file to file, so that a calendar replaces the event instead of adding another. */
  readonly uid: string;
  /** In epoch milliseconds. */
  readonly at: number;
  readonly summary: string;
  readonly description: string;
}

/** Writes a calendar as RFC 5545. `writtenAt`: when its facts were read, in epoch milliseconds. */
export function toIcs(name: string, writtenAt: number, events: readonly CalendarEvent[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Perpdesk//Expiry calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escape(name)}`,
    ...events.flatMap(({ uid, at, summary, description }) => [
      'BEGIN:VEVENT',
      `UID:${escape(uid)}`,
      `DTSTAMP:${toUtc(writtenAt)}`,
      `DTSTART:${toUtc(at)}`,
      `SUMMARY:${escape(summary)}`,
      `DESCRIPTION:${escape(description)}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}

/** `20261225T220000Z`. */
function toUtc(epochMillis: number): string {
  return `${new Date(epochMillis).toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length).replaceAll(/[-:]/g, '')}Z`;
}

/** Escapes what separates values. A line break is written as `\n`; other control characters have no place in a text. */
function escape(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
    .replaceAll(/[\p{Cc}]/gu, '');
}

/** The most octets of a line, without its break. */
const MOST_OCTETS = 75;
const encoder = new TextEncoder();

/** Breaks a long line. Each further line begins with a space, which counts; no character is cut in two. */
function fold(line: string): string {
  let [folded, octets] = ['', 0];
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (octets + size > MOST_OCTETS) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}
