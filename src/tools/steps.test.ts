import { describe, expect, test } from 'vitest';
import { couldNotRun, hasPassed, runSteps, type Outcome, type Step, type StepsPort } from './steps.ts';

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
