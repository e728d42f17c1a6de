import { expect } from 'vitest';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import { createParser } from '#contract/parse/parse.ts';
import { printsBefore, servesFunding, type FundingScript } from './funding-script.ts';
import { openFault, type Fault } from './open-fault.ts';

const HOUR_MS = 3_600_000;
const INTERVAL_MS = 8 * HOUR_MS;

export interface ScriptedFunding {
  readonly fault: Fault;
  readonly script: FundingScript;
  /** The last funding time, in epoch milliseconds. */
  readonly boundary: number;
}

/** Opens a server in front of an exchange with ninety settled rates, whose time is never near a funding time. */
export async function openScriptedFunding(): Promise<ScriptedFunding> {
  const fault = await openFault();
  const boundary = Math.floor(Date.now() / INTERVAL_MS) * INTERVAL_MS;
  fault.advance(boundary + 4 * HOUR_MS - Date.now());
  const script = { rows: printsBefore(boundary, 90), maxRows: 10_000, failure: null, estimate: {} };
  fault.venue.alwaysDoes(servesFunding(script));
  return { fault, script, boundary };
}

/** Reads the stored funding as the server serves it. */
export async function readStoredFunding(
  fault: Fault,
  query = '',
): Promise<{ readonly funding: DeskFunding; readonly text: string }> {
  const answer = await fault.send(`/api/desk/funding${query}`);
  const text = answer.body.toString();
  expect(answer.status, text).toBe(200);
  const { response, rows } = DESK_ENDPOINTS.funding;
  return { funding: createParser(response, rows).tolerant(text).value ?? expect.fail(text), text };
}
