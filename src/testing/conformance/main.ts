// Holds an exchange, or a gateway before one, against the interface, and says what differs.
import { VENUES } from '#contract/venues.ts';
import { createProbe } from './probe.ts';
import { formatReport } from './report.ts';
import { readSettings } from './settings.ts';
import { runSuite } from './suite.ts';

const USAGE = `npm run conformance -- --base-url <url> [options]
  --base-url <url>           of an exchange, for example http://127.0.0.1:4010/exchange/api, or of a gateway: http://127.0.0.1:8080/api
  --env <prod|sandbox>       environment in the paths of private endpoints (prod); not with --gateway
  --connection-id <id>       with --auth-token <token>: signs private requests; not with --gateway
  --gateway                  the other side signs, and its paths are those of the interface document
  --decisions                also what our own exchange decides where the documents are silent
  --read-only-budget <n>     at most so many requests; what is left over is named as not tried`;

const settings = readSettings(process.argv.slice(2));
const noMounts = { web: '', funding: '', orders: '', product: '' };
const sandbox = VENUES['sandbox'];
if (sandbox === undefined) throw new Error('There is no profile of the sandbox.');

if (typeof settings === 'string') {
  console.error(`${settings}\n\n${USAGE}`);
  process.exitCode = 2;
} else {
  const { baseUrl, env, gateway, credential, decisions, requestLimit } = settings;
  const profile = { ...sandbox, env, ...(gateway && { mounts: noMounts }) };
  const probe = createProbe({ baseUrl, profile, credential, requestLimit });
  const results = await runSuite({ probe, credential, decisions });
  console.log(formatReport(results, probe.requests()));
  process.exitCode = results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
}
