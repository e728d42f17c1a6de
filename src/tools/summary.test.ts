import { expect, test } from 'vitest';
import type { FinishedStep } from './steps.ts';
import { failedNames, slowestOf, tableOf, totalLine, totalOf } from './summary.ts';

const finished: readonly FinishedStep[] = [
  { name: 'types', passed: 0, failed: 1, failures: [], notRun: [], output: '', seconds: 3.21 },
  {
    name: 'unit tests',
    passed: 90,
    failed: 2,
    failures: ['a.test.ts > one: 1 is not 2', 'a.test.ts > two'],
    notRun: ['a.test.ts > later'],
    output: '',
    seconds: 12,
    processorSeconds: 21.46,
  },
  { name: 'browser tests', passed: 0, failed: 0, failures: [], notRun: ['No browser.'], output: '', seconds: 0 },
];

test('what did not run counts as failed', () => {
  expect(totalOf(finished)).toEqual({ passed: 90, failed: 5 });
  expect(totalLine(totalOf(finished))).toBe('90 passed, 5 failed');
});

test('a part with a test that did not run has not passed', () => {
  expect(failedNames(finished)).toEqual(['types', 'unit tests', 'browser tests']);
});

test('the table has a row for each part, and names below it what failed and what did not run', () => {
  expect(
    tableOf(finished)
      .split('\n')
      .map((line) => line.replaceAll(/ {2,}/g, ' | ')),
  ).toEqual([
    'part | passed | failed | not run | seconds | processor',
    'types | 0 | 1 | 0 | 3.2',
    'unit tests | 90 | 2 | 1 | 12.0 | 21.5',
    'browser tests | 0 | 0 | 1 | 0.0',
    'failed: types',
    'failed: unit tests: a.test.ts > one: 1 is not 2',
    'failed: unit tests: a.test.ts > two',
    'not run: unit tests: a.test.ts > later',
    'not run: browser tests: No browser.',
  ]);
});

test('what is remembered is named', () => {
  const kept: FinishedStep = {
    name: 'image tests',
    passed: 0,
    failed: 0,
    failures: [],
    notRun: [],
    output: '',
    seconds: 0.1,
    isRemembered: true,
  };
  expect(tableOf([kept]).split('\n').at(-1)).toBe('remembered: image tests: passed before with the same sources');
  expect(failedNames([kept])).toEqual([]);
});

test('the slowest tests are listed with their part, the slowest first, twenty at most', () => {
  const durations = Array.from({ length: 30 }, (_, index) => ({ name: `test ${String(index)}`, seconds: index }));
  const [first, second] = finished;
  const lines = slowestOf([
    { ...first, ...second, durations } as FinishedStep,
    { ...second, name: 'browser tests', durations: [{ name: 'a screen', seconds: 60.04 }] } as FinishedStep,
  ]).split('\n');
  expect(lines).toHaveLength(20);
  expect(lines.slice(0, 2)).toEqual(['   60.0 s  browser tests: a screen', '   29.0 s  unit tests: test 29']);
});
