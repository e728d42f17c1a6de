import { expect, test } from 'vitest';
import { createRedact } from './sender.ts';

test('no secret is shown, in whichever form it comes back, not even where it is cut', () => {
  const redact = createRedact(['p&ss "word"', 'p&ss', 'T0/B0/xyz']);
  const forms = [
    'p&ss "word"',
    'p%26ss%20%22word%22',
    String.raw`p&ss \"word\"`,
    Buffer.from('p&ss "word"').toString('base64'),
    'T0/B0/xyz',
    'T0%2FB0%2Fxyz',
  ];
  expect(redact(forms.join(' '))).toBe(forms.map(() => '(secret)').join(' '));
  expect(redact(`${'x'.repeat(195)}p&ss "word"`)).toBe(`${'x'.repeat(195)}(secr`);
});

test('what comes back is printable and short', () => {
  expect(createRedact([])(`a\r\nb\u001b[31m${'c'.repeat(500)}`)).toMatch(/^a b \[31mc{191,192}$/);
});
