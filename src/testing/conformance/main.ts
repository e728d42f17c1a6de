// Holds an exchange, or a gateway before one, against the interface, and says what differs.
import { parseArgs } from 'node:util';
import { VENUES } from '#contract/venues.ts';
import { createProbe } from './probe.ts';
import { formatReport } from './report.ts';
import { runSuite } from './suite.ts';

const USAGE = `npm run conformance -- --base-url <url> [options]
  --base-url <url>           of an exchange, for example http://127.0.0.1:4010/exchange/api, or of a gateway: http://127.0.0.1:8080/api
  --env <prod|sandbox>       environment in the paths of private endpoints (prod)
  --connection-id <id>       with --auth-token <token>: signs private requests
  --gateway                  the other side signs, and its paths are those of the interface document
  --decisions                also what our own exchange decides where the documents are silent
  --read-only-budget <n>     at most so many requests; what is left over is named as not tried`;

const { values } = parseArgs({
  options: {
    'base-url': { type: 'string' },
    env: { type: 'string', default: 'prod' },
    'connection-id': { type: 'string' },
    'auth-token': { type: 'string' },
    gateway: { type: 'boolean', default: false },
    decisions: { type: 'boolean', default: false },
    'read-only-budget': { type: 'string', default: '100000' },
  },
});

const {
  'base-url': baseUrl = '',
  'connection-id': connectionId,
  'auth-token': token,
  env,
  gateway,
  decisions,
} = values;
const requestLimit = Number(values['read-only-budget']);
const credential = connectionId !== undefined && token !== undefined ? { connectionId, token } : null;
const noMounts = { web: '', funding: '', orders: '', product: '' };
const sandbox = VENUES['sandbox'];

if (
  !URL.canParse(baseUrl) ||
  !Number.isInteger(requestLimit) ||
  requestLimit < 1 ||
  sandbox === undefined ||
  (credential === null && !gateway)
) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  const profile = { ...sandbox, env, ...(gateway && { mounts: noMounts }) };
  const probe = createProbe({ baseUrl, profile, credential: gateway ? null : credential, requestLimit });
  const results = await runSuite({ probe, credential: gateway ? null : credential, decisions });
  console.log(formatReport(results, probe.requests()));
  process.exitCode = results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
}
