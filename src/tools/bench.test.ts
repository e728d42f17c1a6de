import { expect, test } from 'vitest';
import { chooseBenches, toBenchNames } from './bench.ts';

test('each program in the folder is a benchmark, and nothing else is', () => {
  expect(toBenchNames(['venue.ts', 'package.json', 'lib', 'decode.ts', 'README.md', 'peers.d.ts'])).toEqual([
    'decode',
    'venue',
  ]);
});

test('without a name all run, with names those do', () => {
  expect(chooseBenches([], ['decode', 'venue'])).toEqual({ names: ['decode', 'venue'], options: [] });
  expect(chooseBenches(['venue'], ['decode', 'venue'])).toEqual({ names: ['venue'], options: [] });
});

test('options are passed on', () => {
  expect(chooseBenches(['venue', '--rounds', '7'], ['decode', 'venue'])).toEqual({
    names: ['venue'],
    options: ['--rounds', '7'],
  });
});

test('the words after a benchmark in parts are its parts', () => {
  expect(chooseBenches(['live', 'paint', 'diff', '--rounds', '7'], ['live', 'venue'])).toEqual({
    names: ['live'],
    options: ['paint', 'diff', '--rounds', '7'],
  });
  expect(chooseBenches(['venue', 'live'], ['live', 'venue'])).toEqual({ names: ['venue', 'live'], options: [] });
});

test('an unknown name is refused with a list of the known ones', () => {
  expect(chooseBenches(['venue', 'vnue'], ['decode', 'venue'])).toEqual({
    problem: 'unknown benchmark "vnue"; known benchmarks: decode, venue.',
  });
});
