import { createConfig, lintFromString } from '@redocly/openapi-core';

/** Returns all problems that the linter's recommended rules find, including warnings. */
export async function findLintProblems(source: string): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // Some paths of the interface end in a slash (`/funding-rates/`) and do not exist without it.
      'no-path-trailing-slash': 'off',
    },
  });
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return problems.map(({ severity, ruleId, message, location }) => {
    const place = location[0]?.pointer ?? '';
    return `${severity} ${ruleId} at ${place}: ${message}`;
  });
}
