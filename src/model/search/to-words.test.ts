import { expect, it } from 'vitest';
import { toWords } from './to-words.ts';

it.each([
  ['BTC Perp', [['btc'], ['perp']]],
  ['  busz26-c120000 ', [['busz26'], ['c120000']]],
  ['120,000', [['120000']]],
  ["call 1'120 000", [['call'], ['1120000']]],
  ['120k', [['120k', '120000']]],
  ['0.5 z’26', [['0.5'], ['z'], ['26']]],
  ['call 26 120000', [['call'], ['26'], ['120000']]],
  ['12 1200', [['12'], ['1200']]],
  ['…', []],
])('%s', (text, words) => {
  expect(toWords(text)).toEqual(words);
});
