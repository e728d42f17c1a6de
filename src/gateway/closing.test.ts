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
  return { process, closed, part, closing: closeOnSignals({ on: process.on.bind(process) }, part('desk')) };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s closes what was opened, in its order, each once however often it comes', async (signal) => {
  const { process, closed, part, closing } = open();
  closing.parts.push(part('gateway'), part('venue'));
  expect(closing.isClosing()).toBe(false);
  process.emit(signal);
  process.emit(signal);
  await closing.close();
  expect(closed).toEqual(['desk', 'gateway', 'venue']);
  expect(closing.isClosing()).toBe(true);
});

test('what was opened after the rest was closed is closed, too', async () => {
  const { process, closed, part, closing } = open();
  process.emit('SIGINT');
  await closing.close();
  closing.parts.push(part('venue'));
  await closing.close();
  expect(closed).toEqual(['desk', 'venue']);
});
