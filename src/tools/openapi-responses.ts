import type { Endpoint } from '#contract/endpoints.ts';
import { REFUSALS, type Refusal } from '#contract/refusals.ts';

/** Errors are bare statuses. Where there is a body it is one sentence; nothing may be read out of it. */
const sentence = { 'text/plain': { schema: { type: 'string', description: 'A sentence, or nothing.' } } } as const;

export const ERROR_RESPONSES: Readonly<Record<string, object>> = Object.fromEntries(
  REFUSALS.map(({ name, meaning, body }) => [name, { description: meaning, ...(body === 'sentence' && { content: sentence }) }]),
);

export function errorResponsesOf(endpoint: Endpoint): Record<string, object> {
  const possible = REFUSALS.filter((refusal: Refusal) => !refusal.signedOnly || endpoint.access === 'signed');
  return Object.fromEntries(possible.map(({ status, name }) => [String(status), { $ref: `#/components/responses/${name}` }]));
}
