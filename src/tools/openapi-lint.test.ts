import { expect, test } from 'vitest';
import { createOpenApiDocument, writeOpenApi, type OpenApiDocument } from './openapi-document.ts';
import { findLintProblems } from './openapi-lint.ts';

function lintWith(change: Partial<OpenApiDocument>): Promise<string[]> {
  return findLintProblems(JSON.stringify({ ...createOpenApiDocument(), ...change }));
}

test('the document is valid and has no lint problems', async () => {
  expect(await findLintProblems(writeOpenApi())).toEqual([]);
});

test('an invalid document is a problem', async () => {
  const problems = await lintWith({ info: { title: 'No version' } });
  expect(problems).toContainEqual(expect.stringMatching(/^error struct at #\/info: .*version/));
});

test('a reference to a missing schema is a problem', async () => {
  const { components } = createOpenApiDocument();
  const problems = await lintWith({ components: { ...components, schemas: {} } });
  expect(problems.join('\n')).toContain('error no-unresolved-refs');
});

test('an example that its own grammar rejects is a problem, though only a warning', async () => {
  const broken = writeOpenApi().replaceAll('"example": "5599"', '"example": "zero"');
  const problems = await findLintProblems(broken);
  expect(problems[0]).toContain('warn no-invalid-parameter-examples');
});
