import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openHolidays, parseHolidays } from './holidays.ts';

const folder = mkdtempSync(join(tmpdir(), 'perpdesk-holidays-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

it.each([
  ['["2026-12-25", "2027-01-01"]', ['2026-12-25', '2027-01-01']],
  ['# Closed\n2026-12-25 # Christmas\n\n2027-01-01\n', ['2026-12-25', '2027-01-01']],
  ['', []],
])('a file of holidays may be JSON or lines: %j', (text, days) => {
  expect(parseHolidays(text)).toEqual({ holidays: new Set(days) });
});

it.each([
  ['["2026-12-25"', 'is neither a JSON array of days nor a list of one day a line'],
  ['[20261225]', 'has 20261225, which is no day such as 2026-12-25'],
  ['25 December 2026', 'has "25 December 2026", which is no day such as 2026-12-25'],
  ['2026-02-30', 'has "2026-02-30", which is no day such as 2026-12-25'],
])('a file with a mistake is not used: %j', (text, problem) => {
  expect(parseHolidays(text)).toEqual({ problem });
});

it('a file that changes is loaded again, and one with a mistake is not', () => {
  const path = join(folder, 'holidays.txt');
  writeFileSync(path, '2026-12-25\n');
  let look = (): void => undefined;
  const events: string[] = [];
  const holidays = openHolidays(path, {
    schedule: (_, run) => {
      look = run;
      return () => undefined;
    },
    log: (_, event) => events.push(event),
  });
  writeFileSync(path, '2026-12-25\n2027-01-01\n');
  look();
  expect(holidays.now()).toEqual(new Set(['2026-12-25', '2027-01-01']));
  writeFileSync(path, 'soon\n');
  look();
  expect(holidays.now()?.size).toBe(2);
  expect(events).toEqual(['holidays loaded', 'holidays not loaded']);
});
