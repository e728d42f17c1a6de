import { agreementChecks } from './agreement.ts';
import { priceChecks, volumeChecks } from './charts.ts';
import { createContext, Failure, Skipped, type Check } from './check.ts';
import { fundingChecks } from './funding.ts';
import { historyChecks, workingChecks } from './orders.ts';
import { RequestLimitReached, type Credential, type Probe } from './probe.ts';
import { headChecks, rangeChecks, shapeChecks } from './every-endpoint.ts';
import { rejectionChecks } from './rejections.ts';
import { sessionPriceChecks } from './session-prices.ts';
import { signatureChecks } from './signatures.ts';
import { trailingChecks } from './trailing.ts';
import { unitChecks } from './units.ts';

/** The most informative checks come first: a request limit may end the run early. */
export const CHECKS: readonly Check[] = [
  ...shapeChecks,
  ...agreementChecks,
  ...unitChecks,
  ...sessionPriceChecks,
  ...priceChecks,
  ...volumeChecks,
  ...fundingChecks,
  ...rangeChecks,
  ...historyChecks,
  ...workingChecks,
  ...trailingChecks,
  ...headChecks,
  ...signatureChecks,
  ...rejectionChecks,
];

export interface Result {
  readonly check: Check;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly remark: string | undefined;
}

export interface SuiteOptions {
  readonly probe: Probe;
  readonly credential: Credential | null;
  /** Whether to check the decisions of our own exchange on points that the documents leave open. */
  readonly decisions: boolean;
  readonly checks?: readonly Check[];
}

export async function runSuite({
  probe,
  credential,
  decisions,
  checks = CHECKS,
}: SuiteOptions): Promise<readonly Result[]> {
  const context = createContext(probe, credential);
  const results: Result[] = [];
  for (const check of checks) {
    if (check.source !== 'decision' || decisions) results.push(await run(check, () => check.run(context)));
  }
  return results;
}

async function run(check: Check, trial: () => Promise<string | undefined>): Promise<Result> {
  try {
    return { check, outcome: 'passed', remark: await trial() };
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof Skipped || error instanceof RequestLimitReached)
      return { check, outcome: 'skipped', remark: message };
    return {
      check,
      outcome: 'failed',
      remark: error instanceof Failure ? message : `could not run: ${describe(error)}`,
    };
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
