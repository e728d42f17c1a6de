import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { VENUES } from '#contract/venues.ts';
import { startGateway } from '../start-desk.ts';
import { startProcess } from '../start-process.ts';
import { createProbe } from './probe.ts';
import { VENUE_ARGUMENTS } from './run-conformance.ts';
import { CHECKS, runSuite, type Result } from './suite.ts';

async function openGateway(venueUrl: string): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-conformance-'));
  const gateway = await startGateway(venueUrl, dataDir);
  onTestFinished(async () => {
    expect(await gateway.stop()).toBe(0);
    rmSync(dataDir, { recursive: true });
  });
  return gateway.address;
}

/** The paths are those of the interface document, and the other side signs. */
async function runThrough(gateway: string): Promise<readonly Result[]> {
  const sandbox = VENUES['sandbox'];
  if (sandbox === undefined) throw new Error('There is no profile of the sandbox.');
  const profile = { ...sandbox, mounts: { web: '', funding: '', orders: '', product: '' } };
  const probe = createProbe({ baseUrl: new URL('api', gateway).href, profile, credential: null, requestLimit: Infinity });
  return runSuite({ probe, credential: null, decisions: true });
}

test.each(['percent', 'plain'])('the gateway conforms to the interface, before an exchange whose cursors are %s', { timeout: 120_000 }, async (encoding) => {
  const venue = await startProcess('src/venue/main.ts', [...VENUE_ARGUMENTS, '--store', ':memory:', '--cursor-encoding', encoding]);
  onTestFinished(async () => {
    expect(await venue.stop()).toBe(0);
  });
  const results = await runThrough(await openGateway(venue.address));
  expect(results).toHaveLength(CHECKS.length);
  expect(results.filter(({ outcome }) => outcome === 'failed').map(({ check, remark }) => `${check.title}: ${remark ?? ''}`)).toEqual([]);
  // What cannot be tried is how the venue judges signatures, since here the other side makes them; all of the rest was.
  const notTried = results.filter(({ outcome }) => outcome === 'not tried');
  expect(notTried.filter(({ remark }) => remark !== 'the other side signs').map(({ check }) => check.title)).toEqual([]);
  expect(notTried.filter(({ check }) => check.area !== 'signatures').map(({ check }) => check.title)).toEqual([]);
  expect(notTried.length).toBeLessThan(CHECKS.length / 2);
});
