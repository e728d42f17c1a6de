import { expect, it } from 'vitest';
import { createLog } from './real-ports.ts';

function open(lowest: 'debug' | 'warn') {
  const lines: string[] = [];
  return {
    lines,
    log: createLog(
      lowest,
      (line) => lines.push(line),
      () => Date.parse('2026-11-26T12:00:00.250Z'),
    ),
  };
}

it('a line is one JSON object with time, level, event and fields', () => {
  const { lines, log } = open('debug');
  log('info', 'request', { status: 200, endpoint: 'orders' });
  log('warn', 'two\nlines');
  expect(lines.map((line) => line.endsWith('\n') && line.indexOf('\n') === line.length - 1)).toEqual([true, true]);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { time: '2026-11-26T12:00:00.250Z', level: 'info', event: 'request', status: 200, endpoint: 'orders' },
    { time: '2026-11-26T12:00:00.250Z', level: 'warn', event: 'two\nlines' },
  ]);
});

it('what is below the level is not written, and its fields are not computed', () => {
  const { lines, log } = open('warn');
  log('info', 'request', () => expect.fail());
  log('error', 'request', () => ({ status: 500 }));
  expect(lines).toHaveLength(1);
});

it('a secret is not written, wherever it is passed', () => {
  const { lines, log } = open('debug');
  log('info', 'request', { token: 'ab12', channel: { name: 'desk', secret: 'whsec_x', url: 'https://example' } });
  expect(lines.join('')).not.toMatch(/ab12|whsec_x/);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    token: '[redacted]',
    channel: { name: 'desk', secret: '[redacted]' },
  });
});
