// Checks an exchange, or a gateway in front of one, against the interface and reports every difference.
import { VENUES } from '#contract/exchange/venues.ts';
import { createProbe } from './probe.ts';
import { formatReport } from './report.ts';
import { readSettings } from './settings.ts';
import { runSuite } from './suite.ts';

const USAGE = `npm run conformance -- --base-url <url> [options]
  --base-url <url>           an exchange, for example http://127.0.0.1:4010/exchange/api, or a gateway: http://127.0.0.1:8080/api
  --env <prod|sandbox>       environment in the paths of private endpoints (prod); not with --gateway
  --connection-id <id>       signs private requests; not with --gateway
  --auth-token-file <path>   the connection's token, in a file that only you can read; or set CONFORMANCE_AUTH_TOKEN
  --gateway                  the address is a gateway: it signs, and its paths are those of the interface document
  --decisions                also checks what our own exchange decides where the documents are silent
  --read-only-budget <n>     sends at most n requests; checks that need more are skipped`;

const settings = readSettings(process.argv.slice(2), process.env);
const noMounts = { web: '', funding: '', orders: '', product: '' };
const sandbox = VENUES['sandbox'];
if (sandbox === undefined) throw new Error('The sandbox has no profile.');

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
