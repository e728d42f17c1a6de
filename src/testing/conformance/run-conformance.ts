import { VENUES } from '#contract/venues.ts';
import type { Check } from './check.ts';
import { createProbe } from './probe.ts';
import { runSuite, type Result } from './suite.ts';

export const CREDENTIAL = { connectionId: '3f', token: 'ab'.repeat(32) } as const;

/** What an exchange is started with to be held against the interface: small, still, but with everything there is. */
export const VENUE_ARGUMENTS: readonly string[] = [
  ...['--port', '0', '--seed', '7', '--orders', '3000', '--working', '400', '--history-days', '120'],
  ...['--budget', '0', '--live', 'off', '--credential', `${CREDENTIAL.connectionId}:${CREDENTIAL.token}`],
];

/** The whole suite, our own decisions included, on an exchange started with these arguments. */
export async function runConformance(baseUrl: string, checks?: readonly Check[]): Promise<readonly Result[]> {
  const profile = VENUES['sandbox'];
  if (profile === undefined) throw new Error('There is no profile of the sandbox.');
  const probe = createProbe({ baseUrl, profile, credential: CREDENTIAL, requestLimit: Infinity });
  return runSuite({ probe, credential: CREDENTIAL, decisions: true, ...(checks && { checks }) });
}

/** Everything that is not as it should be, for an assertion that shows it. */
export function notPassed(results: readonly Result[]): readonly string[] {
  return results
    .filter(({ outcome }) => outcome !== 'passed')
    .map(({ check, outcome, remark }) => `${outcome}: ${check.area}, ${check.title}: ${remark ?? ''}`);
}
