import { expect, it } from 'vitest';
import { failed, formatChecks, ok } from './checks.ts';

it('a text of another machine cannot forge lines of the table, or write over them', () => {
  const text = formatChecks([
    ok('disk', 'This machine’s disk has “enough”.'),
    failed('keys', 'https://a.example/\nexchange  ok       All is well.\r\u001b[2K\u202e\u2028\u009b cannot be read.'),
  ]);
  expect(text.split('\n')).toEqual([
    'disk  ok       This machine’s disk has “enough”.',
    'keys  FAILED   https://a.example/ exchange ok All is well. [2K cannot be read.',
    '',
    '1 of 2 checks failed.',
  ]);
  expect(formatChecks([failed('keys', 'x'.repeat(1_000_000))]).length).toBeLessThan(2_000);
});
