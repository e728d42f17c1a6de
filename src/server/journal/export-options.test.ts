import { expect, test } from 'vitest';
import { readOptions } from './export-changes.ts';

test('by default, all of the journal of the desk that is running on the data folder is exported', () => {
  expect(readOptions(['a.parquet'])).toEqual({
    file: 'a.parquet',
    desk: null,
    tokenFile: null,
    begin: null,
    end: null,
  });
});

test('another desk and a range can be chosen', () => {
  const options = readOptions([
    'a.parquet',
    '--desk',
    'https://desk.example:8443',
    '--begin',
    '2026-11-25T00:00:00Z',
    '--end',
    '2026-11-26T00:00:00Z',
  ]);
  expect(options).toMatchObject({
    desk: new URL('https://desk.example:8443'),
    begin: '2026-11-25T00:00:00Z',
    end: '2026-11-26T00:00:00Z',
  });
});

test('a token goes to this machine, or by https to another one', () => {
  expect(
    ['http://localhost:8080', 'http://[::1]:8080', 'https://desk.example'].map((desk) =>
      readOptions(['a', '--desk', desk, '--token-file', 'token']),
    ),
  ).toEqual(Array(3).fill(expect.objectContaining({ tokenFile: 'token' })));
  expect(readOptions(['a', '--desk', 'http://desk.example', '--token-file', 'token'])).toBe(
    '--desk is "http://desk.example": a token is sent to another machine only by https.',
  );
});

test.each([
  [[], /^Name one file/],
  [['a', 'b'], /^Name one file/],
  [['a', '--desk', 'desk'], /^--desk is "desk", but must be an address/],
  [['a', '--desk', 'ftp://desk'], /^--desk is "ftp:\/\/desk"/],
  [['a', '--begin', 'yesterday'], /^--begin is "yesterday", but must be a time in UTC/],
  [['a', '--begin', '2026-11-26T00:00:00Z', '--end', '2026-11-25T00:00:00Z'], /^--begin must be before --end/],
  [['a', '--colour', 'red'], /--colour/],
])('%j says what is wrong', (args, sentence) => {
  expect(readOptions(args)).toMatch(sentence);
});
