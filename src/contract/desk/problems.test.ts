import { expect, test } from 'vitest';
import { createParser } from '../parse/parse.ts';
import { PROBLEM_PREFIX, ProblemDocument, PROBLEMS, toProblemType } from './problems.ts';

const parser = createParser(ProblemDocument);

test('each type is recognised in its document', () => {
  for (const [name, { status, title }] of Object.entries(PROBLEMS)) {
    const document = { type: PROBLEM_PREFIX + name, title, status, detail: 'What to do.', instance: 'r1' };
    expect(toProblemType(parser.strict(JSON.stringify(document)))).toBe(name);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
  }
});

test('each type has a title of its own', () => {
  const titles = Object.values(PROBLEMS).map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});

test.each([
  'about:blank',
  'budget-spent',
  `${PROBLEM_PREFIX}tea-break`,
  `${PROBLEM_PREFIX}constructor`,
  PROBLEM_PREFIX,
  '',
])('the type %j is none of these', (type) => {
  expect(toProblemType({ type })).toBeNull();
});

test('anything else is not taken for a problem document', () => {
  expect(parser.tolerant('<html>502</html>').value).toBeNull();
  expect(parser.tolerant('{"error":"bad gateway"}').value).toBeNull();
});
