import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { closeOnSignals, reportWarnings } from './closing.ts';

function open() {
  const process = new EventEmitter();
  const closed: string[] = [];
  const part = (name: string) => (): Promise<void> => {
    closed.push(name);
    return Promise.resolve();
  };
  const deadlines: number[] = [];
  const closing = closeOnSignals(
    { on: process.on.bind(process), endWithin: (milliseconds) => deadlines.push(milliseconds) },
    ['SIGINT', 'SIGTERM', 'SIGHUP'],
    { order: ['server', 'gateway', 'venue'], slow: 'server' },
  );
  closing.opened('server', part('server'));
  return { process, closed, deadlines, part, closing };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
  '%s closes the parts in their order, whatever order they were opened in, each once',
  async (signal) => {
    const { process, closed, part, closing } = open();
    closing.opened('venue', part('venue'));
    closing.opened('gateway', part('gateway'));
    expect(closing.isClosing()).toBe(false);
    process.emit(signal);
    process.emit(signal);
    await closing.close();
    expect(closed).toEqual(['server', 'gateway', 'venue']);
    expect(closing.isClosing()).toBe(true);
  },
);

test('a part that opens after the others were closed can be closed as well', async () => {
  const { process, closed, part, closing } = open();
  process.emit('SIGINT');
  await closing.close();
  closing.opened('venue', part('venue'));
  await closing.close();
  expect(closed).toEqual(['server', 'venue']);
});

test('a part that never closes does not keep the process alive; only the slow one may take long', async () => {
  const { process, deadlines, closing } = open();
  let end = (): void => undefined;
  closing.opened('server', () => new Promise((resolve) => (end = resolve)));
  closing.opened('gateway', () => new Promise(() => undefined));
  process.emit('SIGTERM');
  process.emit('SIGTERM');
  expect(deadlines).toEqual([45_000]);
  end();
  await expect.poll(() => deadlines).toEqual([45_000, 10_000]);
});

test('a warning of Node.js is a line of the log, and not printed beside it', () => {
  const process = new EventEmitter();
  const logged: unknown[] = [];
  process.on('warning', () => expect.fail('Node.js prints it.'));
  reportWarnings(process, (level, event, fields) => void logged.push([level, event, fields]));
  process.emit('warning', Object.assign(new Error('ML-DSA is new'), { name: 'ExperimentalWarning' }));
  process.emit('warning', Object.assign(new Error('11 listeners'), { name: 'MaxListenersExceededWarning' }));
  expect(logged).toEqual([
    ['debug', 'warning of Node.js', { name: 'ExperimentalWarning', reason: 'ML-DSA is new' }],
    ['warn', 'warning of Node.js', { name: 'MaxListenersExceededWarning', reason: '11 listeners' }],
  ]);
});
