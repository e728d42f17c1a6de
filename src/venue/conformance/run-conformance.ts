import { VENUES } from '#contract/exchange/addresses.ts';
import { startProcess, type StartedProcess } from '#testing/start-process.ts';
import type { Check } from './check.ts';
import { createProbe } from './probe.ts';
import { runSuite, type Result } from './suite.ts';

export const CREDENTIAL = { connectionId: '3f', token: 'ab'.repeat(32) } as const;

/** A small, frozen exchange with an example of everything. */
const VENUE_ARGUMENTS: readonly string[] = [
  ...['--port', '0', '--seed', '7', '--orders', '3000', '--working', '400', '--history-days', '120'],
  ...['--budget', '0', '--live', 'off', '--store', ':memory:'],
];

/** Starts our own exchange as a process. Options given here replace those above. */
export function startVenue(options: readonly string[] = []): Promise<StartedProcess> {
  const { connectionId, token } = CREDENTIAL;
  return startProcess('src/venue/main.ts', [...VENUE_ARGUMENTS, ...options], {
    VENUE_CREDENTIAL: `${connectionId}:${token}`,
  });
}

/** Runs the checks, including those of our own decisions, on an exchange that `startVenue` started. */
export async function runConformance(baseUrl: string, checks?: readonly Check[]): Promise<readonly Result[]> {
  const profile = VENUES['sandbox'];
  if (profile === undefined) throw new Error('The sandbox has no profile.');
  const probe = createProbe({ baseUrl, profile, credential: CREDENTIAL, requestLimit: Infinity });
  return runSuite({ probe, credential: CREDENTIAL, decisions: true, ...(checks && { checks }) });
}

/** Returns the checks that failed or were skipped, as sentences. */
export function notPassed(results: readonly Result[]): readonly string[] {
  return results
    .filter(({ outcome }) => outcome !== 'passed')
    .map(({ check, outcome, remark }) => `${outcome}: ${check.area}, ${check.title}: ${remark ?? ''}`);
}
