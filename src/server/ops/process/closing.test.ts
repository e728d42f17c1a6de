import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { closeOnSignals } from './closing.ts';

function open() {
  const process = new EventEmitter();
  const closed: string[] = [];
  const part = (name: string) => (): Promise<void> => {
    closed.push(name);
    return Promise.resolve();
  };
  const closing = closeOnSignals(
    { on: process.on.bind(process) },
    ['SIGINT', 'SIGTERM', 'SIGHUP'],
    ['server', 'gateway', 'venue'],
  );
  closing.opened('server', part('server'));
  return { process, closed, part, closing };
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
