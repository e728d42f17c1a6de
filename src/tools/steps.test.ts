import { describe, expect, test } from 'vitest';
import {
  couldNotRun,
  hasPassed,
  runSteps,
  slowestOf,
  tableOf,
  totalLine,
  type FinishedStep,
  type Outcome,
  type Step,
  type StepsPort,
} from './steps.ts';

const good: Outcome = { passed: 1, failed: 0, failures: [], notRun: [], output: 'fine' };
const bad: Outcome = { passed: 2, failed: 1, failures: ['a.test.ts > one'], notRun: [], output: 'one is wrong' };

function step(name: string, outcome: Outcome | Promise<Outcome> = good): Step {
  return { name, run: () => Promise.resolve(outcome) };
}

function terminal() {
  const printed: string[] = [];
  const stop = new AbortController();
  let now = 0;
  const port: StepsPort = {
    clock: () => (now += 1_500),
    processorSeconds: () => now / 500,
    print: (line) => {
      printed.push(line);
    },
    stop: stop.signal,
  };
  return { port, printed, stop };
}

describe('running steps', () => {
  test('goes on after one that fails', async () => {
    const finished = await runSteps([step('a', bad), step('b')], 1, terminal().port);
    expect(finished.map(({ name, failed }) => [name, failed])).toEqual([
      ['a', 1],
      ['b', 0],
    ]);
  });

  test('counts one that throws as not run, with what it threw, and goes on', async () => {
    const broken: Step = { name: 'broken', run: () => Promise.reject(new Error('no such tool')) };
    const [first, second] = await runSteps([broken, step('b')], 1, terminal().port);
    expect(first).toMatchObject({ passed: 0, failed: 0, notRun: ['Error: no such tool'] });
    expect(second).toMatchObject(good);
  });

  test('runs no more at a time than there are lanes, and returns the steps in their order', async () => {
    const gate = Promise.withResolvers<Outcome>();
    const begun: string[] = [];
    const noting = (name: string, outcome: Promise<Outcome>): Step => ({
      name,
      run: () => {
        begun.push(name);
        return outcome;
      },
    });
    const { port, printed } = terminal();
    const steps = [
      noting('slow', gate.promise),
      noting('b', Promise.resolve(good)),
      noting('c', Promise.resolve(good)),
    ];
    const running = runSteps(steps, 2, {
      ...port,
      print: (line) => {
        printed.push(line);
        if (line.includes(' c ')) gate.resolve(good);
      },
    });
    expect(begun).toEqual(['slow', 'b']);
    expect((await running).map(({ name }) => name)).toEqual(['slow', 'b', 'c']);
    expect(printed.map((line) => line.split(/\s+/)[1])).toEqual(['b', 'c', 'slow']);
  });

  test('prints each step and its time; for one that did not pass also the names of what failed, then its output', async () => {
    const { port, printed } = terminal();
    await runSteps([step('a'), step('b', bad), step('c', couldNotRun('no browser'))], 1, port);
    expect(printed).toEqual([
      expect.stringMatching(/^ok {4}a +1\.5 s$/),
      expect.stringMatching(/^FAIL {2}b +1\.5 s$/),
      'failed: a.test.ts > one',
      'one is wrong',
      expect.stringMatching(/^FAIL {2}c +1\.5 s$/),
      'no browser',
    ]);
  });

  test('says how much processor time each took that ran alone', async () => {
    const alone = await runSteps([step('a')], 1, terminal().port);
    const besideOthers = await runSteps([step('a')], 2, terminal().port);
    expect([...alone, ...besideOthers].map(({ processorSeconds }) => processorSeconds)).toEqual([3, undefined]);
  });

  test('starts nothing more once it is stopped, and counts the rest as not run', async () => {
    const { port, stop } = terminal();
    const stopping: Step = {
      name: 'a',
      run: () => {
        stop.abort();
        return Promise.resolve(good);
      },
    };
    const finished = await runSteps([stopping, step('b')], 1, port);
    expect(finished.map(hasPassed)).toEqual([true, false]);
  });
});

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
  expect(totalLine(finished)).toBe('90 passed, 5 failed');
});

test('a part with a test that did not run has not passed', () => {
  expect(finished.map(hasPassed)).toEqual([false, false, false]);
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
  expect(hasPassed(kept)).toBe(true);
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
