import { expect, test } from 'vitest';
import { chooseBenches, toBenchNames } from './bench.ts';

test('each program in the folder is a benchmark, and nothing else is', () => {
  expect(toBenchNames(['venue.ts', 'package.json', 'lib', 'decode.ts', 'README.md', 'peers.d.ts'])).toEqual(['decode', 'venue']);
});

test('without a name all run, with names those do', () => {
  expect(chooseBenches([], ['decode', 'venue'])).toEqual({ names: ['decode', 'venue'], options: [] });
  expect(chooseBenches(['venue'], ['decode', 'venue'])).toEqual({ names: ['venue'], options: [] });
});

test('options are handed on', () => {
  expect(chooseBenches(['venue', '--rounds', '7'], ['decode', 'venue'])).toEqual({ names: ['venue'], options: ['--rounds', '7'] });
});

test('a name that does not exist is told together with those that do', () => {
  expect(chooseBenches(['venue', 'vnue'], ['decode', 'venue'])).toEqual({
    problem: 'no benchmark "vnue"; there is decode, venue.',
  });
});
