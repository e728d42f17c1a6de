import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { VENUES } from '#contract/exchange/addresses.ts';
import { createProbe } from '#venue/conformance/probe.ts';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { CHECKS, runSuite, type Result } from '#venue/conformance/suite.ts';
import { startServer } from '#testing/start-desk.ts';

async function openServer(venueUrl: string): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-conformance-'));
  const server = await startServer(venueUrl, dataDir);
  onTestFinished(async () => {
    expect(await server.stop()).toBe(0);
    rmSync(dataDir, { recursive: true });
  });
  return server.address;
}

/** The paths are those of the interface document, and the server signs. */
async function runThrough(server: string): Promise<readonly Result[]> {
  const sandbox = VENUES['sandbox'];
  if (sandbox === undefined) throw new Error('The sandbox has no profile.');
  const profile = { ...sandbox, mounts: { web: '', funding: '', orders: '', product: '' } };
  const probe = createProbe({
    baseUrl: new URL('api', server).href,
    profile,
    credential: null,
    requestLimit: Infinity,
  });
  return runSuite({ probe, credential: null, decisions: true });
}

test.each(['percent', 'plain'])(
  'the gateway conforms to the interface in front of an exchange with %s cursors',
  { timeout: 120_000 },
  async (encoding) => {
    const venue = await startVenue(['--cursor-encoding', encoding]);
    onTestFinished(async () => {
      expect(await venue.stop()).toBe(0);
    });
    const results = await runThrough(await openServer(venue.address));
    expect(results).toHaveLength(CHECKS.length);
    expect(
      results
        .filter(({ outcome }) => outcome === 'failed')
        .map(({ check, remark }) => `${check.title}: ${remark ?? ''}`),
    ).toEqual([]);
    // Only the checks of signatures are skipped, because the server signs.
    const skipped = results.filter(({ outcome }) => outcome === 'skipped');
    expect(skipped.filter(({ remark }) => remark !== 'the gateway signs').map(({ check }) => check.title)).toEqual([]);
    expect(skipped.filter(({ check }) => check.area !== 'signatures').map(({ check }) => check.title)).toEqual([]);
    expect(skipped.length).toBeLessThan(CHECKS.length / 2);
  },
);
