// Checks an exchange, or a Perpdesk in front of one, against the interface and reports every difference.
import { type Result, runSuite } from './suite.ts';
import { VENUES } from '#contract/exchange/addresses.ts';
import { createProbe } from './probe.ts';
import { readSettings } from './settings.ts';

const MARKS = { passed: '  ok ', failed: 'FAIL ', skipped: '  -  ' } as const;

/** Formats results by area. The remark of a failed check says what was found; that of a skipped one says why. */
function formatReport(results: readonly Result[], requests: number): string {
  const areas = Map.groupBy(results, ({ check }) => check.area);
  const parts = [...areas].map(([area, ofArea]) => [area, ...ofArea.map(formatResult)].join('\n'));
  return [...parts, summaryOf(results, requests)].join('\n\n');
}

function formatResult({ check, outcome, remark }: Result): string {
  const source = check.source === 'interface' ? '' : ` [${check.source}]`;
  return `${MARKS[outcome]} ${check.title}${source}${remark === undefined ? '' : `: ${remark}`}`;
}

function summaryOf(results: readonly Result[], requests: number): string {
  const count = (outcome: Result['outcome']) => String(results.filter((result) => result.outcome === outcome).length);
  return (
    `conformance: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} ` +
    `skipped; ${String(requests)} requests`
  );
}

const USAGE = `npm run conformance -- --base-url <url> [options]
  --base-url <url>           an exchange, for example http://127.0.0.1:4010/exchange/api,
                             or a gateway: http://127.0.0.1:8080/api
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
  const { baseUrl, env, gateway: server, credential, decisions, requestLimit } = settings;
  const profile = { ...sandbox, env, ...(server && { mounts: noMounts }) };
  const probe = createProbe({ baseUrl, profile, credential, requestLimit });
  const results = await runSuite({ probe, credential, decisions });
  console.log(formatReport(results, probe.requests()));
  process.exitCode = results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
}
