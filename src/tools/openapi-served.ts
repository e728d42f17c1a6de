import { needOf } from '#contract/desk/needs.ts';
import { ProblemDocument } from '#contract/desk/problems.ts';
import { ENDPOINT_NAMES, ENDPOINTS, type Mount } from '#contract/exchange/endpoints.ts';
import { toShape } from '#contract/exchange/schema.ts';
import { toOperation, toPathTemplate, toTags } from './openapi-document.ts';
import { collectRows } from './openapi-schemas.ts';
import { PROBLEM_RESPONSES, PROBLEMS, SECURITY, SIGN_IN_SCHEMES } from './openapi-sign-in.ts';

const MOUNT_DESCRIPTIONS: Readonly<Record<Mount, string>> = {
  web: 'Charts and market statistics.',
  funding: 'Funding rates of perpetuals.',
  orders: 'Orders of the accounts that the caller may see.',
  product: 'Specifications and trading data of products.',
};

const DESCRIPTION = [
  'What Perpdesk passes through from the exchange, at the paths where Perpdesk serves it: the fields are those of the',
  'exchange, unchanged. Perpdesk signs the requests, so a client signs nothing. A response may come from the cache of',
  'Perpdesk; the header `age` has its age in seconds, and `x-reuse-seconds` says how long Perpdesk keeps it.',
  'What Perpdesk itself composes is in `/openapi-desk.json`.',
].join(' ');

/** Generates an OpenAPI document of the exchange's interface as Perpdesk serves it, from the endpoint table. */
function createServedDocument() {
  return {
    openapi: '3.1.1',
    info: {
      title: 'The exchange, through Perpdesk',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api', description: 'The Perpdesk from which this document comes.' }],
    tags: toTags(MOUNT_DESCRIPTIONS),
    security: SECURITY,
    paths: Object.fromEntries(
      ENDPOINT_NAMES.map((name) => [
        toPathTemplate(ENDPOINTS[name].path),
        {
          get: {
            ...toOperation(name, { responses: PROBLEMS, security: SECURITY }),
            'x-needs': needOf(ENDPOINTS[name]),
          },
        },
      ]),
    ),
    components: {
      securitySchemes: SIGN_IN_SCHEMES,
      schemas: collectRows([
        ...ENDPOINT_NAMES.map((name) => toShape(ENDPOINTS[name].response)),
        toShape(ProblemDocument),
      ]),
      responses: PROBLEM_RESPONSES,
    },
  };
}

export function writeServedOpenApi(): string {
  return `${JSON.stringify(createServedDocument(), null, 2)}\n`;
}
