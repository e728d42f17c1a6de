import { describe, expect, it } from 'vitest';
import { describeNoDay, leadingDay, stepDay, withDay } from './date-field.tsx';

describe('an entered day', () => {
  it('moves day by day, over the ends of months and years, with its time of day unchanged', () => {
    expect(stepDay('2026-12-31', 1)).toBe('2027-01-01');
    expect(stepDay('2028-03-01', -1)).toBe('2028-02-29');
    expect(stepDay(' 2026-08-17 09:30', -1)).toBe('2026-08-16 09:30');
  });

  it('does not move where it is none, or where the calendar ends', () => {
    for (const text of ['', '1 h ago', 'today', '17.08.2026', '2026-02-30']) expect(stepDay(text, 1)).toBeNull();
    expect(stepDay('9999-12-31', 1)).toBeNull();
    expect(stepDay('0000-01-01', -1)).toBeNull();
  });

  it('is replaced by another, and replaces what is none', () => {
    expect(withDay('2026-08-17T09:30', '2026-09-01')).toBe('2026-09-01T09:30');
    expect(withDay('1 h ago', '2026-09-01')).toBe('2026-09-01');
    expect(leadingDay('2026-08-17 09:30')).toBe('2026-08-17');
  });

  it('that is none is named, with the form that is one', () => {
    expect(describeNoDay(' 17.08.2026 ', '2026-08-17')).toBe('“17.08.2026” is no date. Write it as 2026-08-17.');
  });
});
