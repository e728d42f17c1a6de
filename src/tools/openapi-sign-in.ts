import { ProblemDocument } from '#contract/desk/problems.ts';
import { toShape } from '#contract/exchange/schema.ts';
import { toReference } from './openapi-schemas.ts';

// What every path of Perpdesk has in common: who may request it, and how it fails.

/** Without sign-in, requests need neither. */
export const SIGN_IN_SCHEMES = {
  session: { type: 'apiKey', in: 'cookie', name: '__Host-perpdesk', description: 'Set at sign-in, in a browser.' },
  token: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API token, from the action `createToken`. It cannot manage sessions, passwords or other ' +
      'tokens. A request has either a session or an API token, not both.',
  },
};

export const SECURITY = [{}, ...Object.keys(SIGN_IN_SCHEMES).map((name) => ({ [name]: [] }))];

export const PROBLEM_RESPONSES = {
  Problem: {
    description: 'The reason for the failure.',
    content: { 'application/problem+json': { schema: toReference(toShape(ProblemDocument)) } },
  },
};

export const PROBLEMS = {
  '4XX': { $ref: '#/components/responses/Problem' },
  '5XX': { $ref: '#/components/responses/Problem' },
};
