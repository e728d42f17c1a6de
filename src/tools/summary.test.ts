import { expect, test } from 'vitest';
import type { FinishedStep } from './steps.ts';
import { failedNames, tableOf, totalLine, totalOf } from './summary.ts';

const finished: readonly FinishedStep[] = [
  { name: 'types', passed: 1, failed: 0, notRun: [], output: '', seconds: 3.21 },
  { name: 'unit tests', passed: 90, failed: 2, notRun: ['a.test.ts > later'], output: '', seconds: 12 },
  { name: 'browser tests', passed: 0, failed: 0, notRun: ['No browser.'], output: '', seconds: 0 },
];

test('what could not run counts as failed', () => {
  expect(totalOf(finished)).toEqual({ passed: 91, failed: 4 });
  expect(totalLine(totalOf(finished))).toBe('91 passed, 4 failed');
});

test('a part of which something was not tried has not passed', () => {
  expect(failedNames(finished)).toEqual(['unit tests', 'browser tests']);
});

test('the table has a row a part, and names below it what failed and what was not tried', () => {
  expect(tableOf(finished).split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
    'part | passed | failed | not run | seconds',
    'types | 1 | 0 | 0 | 3.2',
    'unit tests | 90 | 2 | 1 | 12.0',
    'browser tests | 0 | 0 | 1 | 0.0',
    'failed: unit tests',
    'not run: unit tests: a.test.ts > later',
    'not run: browser tests: No browser.',
  ]);
});
