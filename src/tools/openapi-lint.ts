import { createConfig, lintFromString } from '@redocly/openapi-core';

/** Every problem that the linter's recommended rules find, as one sentence each; warnings count too. None: it is clean. */
export async function findLintProblems(source: string): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // The interface's own paths end in a slash in places (`/funding-rates/`); without it they name nothing.
      'no-path-trailing-slash': 'off',
    },
  });
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return problems.map(({ severity, ruleId, message, location }) => {
    const place = location[0]?.pointer ?? '';
    return `${severity} ${ruleId} at ${place}: ${message}`;
  });
}
