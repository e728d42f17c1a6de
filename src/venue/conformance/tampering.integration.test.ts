import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import type { StartedProcess } from '#testing/start-process.ts';
import type { Check } from './check.ts';
import { CREDENTIAL, runConformance, notPassed, startVenue } from './run-conformance.ts';
import { CHECKS } from './suite.ts';
import { type Defect, startTamperingProxy, type TamperingProxy } from './tampering.ts';
import { TAMPERINGS } from './tamperings.ts';
import { VARIATIONS, type Variation } from './variations.ts';

let venue: StartedProcess;
let proxy: TamperingProxy;

beforeAll(async () => {
  venue = await startVenue();
  proxy = await startTamperingProxy(venue.address, CREDENTIAL);
}, 30_000);

afterAll(async () => {
  await proxy.stop();
  await venue.stop();
});

function isDetectedBy(check: Check, by: string): boolean {
  if (by in ENDPOINTS)
    return check.area === 'shapes' && check.title.startsWith(`${ENDPOINTS[by as keyof typeof ENDPOINTS].path} matches`);
  return by === check.area || check.title.startsWith(by);
}

function checksFor({ detectedBy }: Defect): readonly Check[] {
  return CHECKS.filter((check) => detectedBy.some((by) => isDetectedBy(check, by)));
}

test.for(TAMPERINGS.map((defect) => [defect.title, defect] as const))(
  'detects: %s',
  { timeout: 60_000 },
  async ([, defect]) => {
    const checks = checksFor(defect);
    expect(checks.length).toBeGreaterThanOrEqual(defect.detectedBy.length);
    proxy.tamper(defect);
    const results = await runConformance(proxy.address, checks);
    const missed = results
      .filter(({ outcome }) => outcome !== 'failed')
      .map(({ check, outcome, remark }) => `${check.title}: ${outcome} ${remark ?? ''}`);
    expect(missed).toEqual([]);
  },
);

function passing({ passes }: Variation): readonly Check[] {
  if (passes === null) return CHECKS.filter(({ source, area }) => source !== 'decision' && area !== 'signatures');
  const checks = CHECKS.filter(({ title }) => passes.some((beginning) => title.startsWith(beginning)));
  expect(checks).toHaveLength(passes.length);
  return checks;
}

test.for(VARIATIONS.map((variation) => [variation.title, variation] as const))(
  'accepts: %s',
  { timeout: 60_000 },
  async ([, variation]) => {
    const checks = passing(variation);
    proxy.tamper(variation);
    expect(notPassed(await runConformance(proxy.address, checks))).toEqual([]);
  },
);

test('every check passes through the proxy when nothing is tampered with', async () => {
  proxy.tamper({});
  const results = await runConformance(
    proxy.address,
    CHECKS.filter(({ area }) => area !== 'refusals'),
  );
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
});

test('every check fails on at least one tampering', () => {
  const tried = new Set(TAMPERINGS.flatMap(checksFor));
  expect(CHECKS.filter((check) => !tried.has(check)).map(({ title }) => title)).toEqual([]);
});
