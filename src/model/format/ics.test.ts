import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CalendarEvent, toIcs } from './ics.ts';

const WRITTEN_AT = Date.parse('2026-08-17T12:30:00.987Z');

function event(changes: Partial<CalendarEvent> = {}): CalendarEvent {
  return {
    uid: 'BTC-2026-08-28-expiry@perpdesk',
    at: Date.parse('2026-08-28T21:00:00Z'),
    summary: 'BTC expiry: Q26',
    description: 'BUSQ26',
    ...changes,
  };
}

/** Reads a file as a calendar does: joins folded lines, then splits each into its name and its unescaped value. */
function read(file: string): readonly (readonly [name: string, value: string])[] {
  const lines = file.replaceAll('\r\n ', '').split('\r\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => {
    const colon = line.indexOf(':');
    const value = line.slice(colon + 1).replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
    return [line.slice(0, colon), value];
  });
}

test('an event has a stable UID, the time of its facts and its own time, both in UTC without fractions', () => {
  expect(toIcs('Expiries of BTC', WRITTEN_AT, [event()])).toBe(
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Perpdesk//Expiry calendar//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:PUBLISH',
      'X-WR-CALNAME:Expiries of BTC',
      'BEGIN:VEVENT',
      'UID:BTC-2026-08-28-expiry@perpdesk',
      'DTSTAMP:20260817T123000Z',
      'DTSTART:20260828T210000Z',
      'SUMMARY:BTC expiry: Q26',
      'DESCRIPTION:BUSQ26',
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  );
});

test('commas, semicolons, backslashes and line breaks are escaped; other control characters are left out', () => {
  const file = toIcs('x', WRITTEN_AT, [event({ description: 'a,b;c\\d\r\ne\u0007f' })]);
  expect(file).toContain(String.raw`DESCRIPTION:a\,b\;c\\d\nef`);
});

test('whatever the texts are, no line exceeds 75 octets, no character is cut, and the texts can be read back', () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 300 }).filter((text) => !/\p{Cc}/u.test(text));
  fc.assert(
    fc.property(texts, texts, (summary, description) => {
      const file = toIcs('x', WRITTEN_AT, [event({ summary, description })]);
      const octets = file.split('\r\n').map((line) => new TextEncoder().encode(line).length);
      expect(Math.max(...octets)).toBeLessThanOrEqual(75);
      const values = new Map(read(file));
      expect(values.get('SUMMARY')).toBe(summary);
      expect(values.get('DESCRIPTION')).toBe(description);
    }),
  );
});
