import { expect, it } from 'vitest';
import type { DeskRule, Rule } from '#contract/desk/rules.ts';
import { findInhibitor, toNote } from './muting.ts';

it('a note that others read has no characters that they cannot see', () => {
  for (const note of ['', 'Known: é, 日本, ✓', 'Mended ⚠️ 👩‍💻 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣']) expect(toNote(note)).toBe(note);
  for (const note of ['\u202eyub', 'a\u200bb', 'a\nb', '\ud800'])
    expect(() => toNote(note)).toThrow('The body has a mistake at $.note');
  for (const code of ['034f', 'fe0f', 'e0100', '17b4', '3164', '115f', 'ffa0', '2800', '200d', 'e0041'])
    expect(() => toNote(`a${String.fromCodePoint(Number.parseInt(code, 16))}b`), code).toThrow('a mistake at $.note');
  for (const note of ['\u00a0\u2003', '\u0301', '⚠️\u200d']) expect(() => toNote(note)).toThrow('a mistake at $.note');
});

it('a rule that notifies nobody keeps no other one from it', () => {
  const common = { id: 'away', name: 'Away', enabled: true, severity: 'critical', for_seconds: 0 } as const;
  const away: DeskRule = { ...common, channels: [], about: 'desk', measure: 'venue_away' };
  const gap: Rule = { ...away, id: 'gap', channels: ['ops'], measure: 'journal_gap', window_seconds: 60 };
  expect(findInhibitor(gap, [away])).toBeNull();
  expect(findInhibitor(gap, [{ ...away, channels: ['night'] }])?.id).toBe('away');
  expect(findInhibitor({ ...gap, channels: [] }, [away])?.id).toBe('away');
});
