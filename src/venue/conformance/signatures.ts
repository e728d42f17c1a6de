import { AUTH_TIMESTAMP_HEADER, CONNECTION_ID_HEADER, SIGNATURE_HEADER } from '#contract/exchange/signing.ts';
import { areaOf, expectSame, expectStatus, expectThat, Skipped, type Check, type Context } from './check.ts';
import { signatureHeaders, type ProbeResponse, type Credential } from './probe.ts';

const check = areaOf('signatures');
const QUERY = 'limit=1';

interface Altered {
  readonly credential?: Credential;
  /** How many milliseconds the timestamp is shifted by. */
  readonly late?: number;
  /** The query to sign instead of the one that is sent. */
  readonly signedQuery?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly without?: string;
}

/** Sends a private request that is validly signed except for one alteration. */
async function sendAltered(
  { probe, credential }: Context,
  { late = 0, signedQuery = QUERY, headers = {}, without, ...rest }: Altered,
): Promise<ProbeResponse> {
  if (credential === null) throw new Skipped('the gateway signs');
  const path = probe.pathOf({ name: 'orders' });
  const stamp = new Date(probe.now() + late).toISOString();
  const signed = { ...signatureHeaders(rest.credential ?? credential, path, signedQuery, stamp), ...headers };
  const sent = Object.fromEntries(Object.entries(signed).filter(([name]) => name !== without));
  return probe.send({ path, rawQuery: QUERY, headers: sent });
}

function refused(title: string, statuses: readonly number[], alter: (credential: Credential) => Altered): Check {
  return check('venue facts', title, async (context) => {
    if (context.credential === null) throw new Skipped('the gateway signs');
    const response = await sendAltered(context, alter(context.credential));
    expectStatus(response, ...statuses);
    if (response.status === 400)
      expectThat(response.text.trim() !== '', `${response.requestLine}: a 400 must say what is missing`);
    if (response.status === 401) expectSame(response.text, '', `${response.requestLine}: body of a 401`);
  });
}

const otherToken = (token: string): string => (token.startsWith('0') ? '1' : '0') + token.slice(1);

export const signatureChecks: readonly Check[] = [
  check('venue facts', 'a valid signature is accepted', async (context) => {
    expectStatus(await sendAltered(context, {}), 200);
  }),
  ...[AUTH_TIMESTAMP_HEADER, CONNECTION_ID_HEADER, SIGNATURE_HEADER].map((name) =>
    refused(`without ${name}: 400`, [400], () => ({ without: name })),
  ),
  refused('a timestamp in another format: 400', [400], () => ({
    headers: { [AUTH_TIMESTAMP_HEADER]: '2026-08-17T23:45:21Z' },
  })),
  refused('a signature that is not base64: 400', [400], () => ({ headers: { [SIGNATURE_HEADER]: 'not base64!' } })),
  refused('a signature made with another token: 401', [401, 403], ({ connectionId, token }) => ({
    credential: { connectionId, token: otherToken(token) },
  })),
  refused('an unknown connection: 401', [401, 403], ({ token }) => ({
    credential: { connectionId: 'ffffffffffff', token },
  })),
  refused('a query other than the signed one: 401', [401, 403], () => ({ signedQuery: 'limit=2' })),
  refused('a timestamp one minute old: 401', [401, 403], () => ({ late: -60_000 })),
  refused('a timestamp one minute ahead: 401', [401, 403], () => ({ late: 60_000 })),
  check('venue facts', 'public endpoints need no signature', async ({ probe }) => {
    expectSame((await probe.send({ path: probe.pathOf({ name: 'fundingRates' }) })).status, 200, 'status');
  }),
];
