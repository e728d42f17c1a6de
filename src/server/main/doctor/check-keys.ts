import { createLocalJWKSet, createRemoteJWKSet, customFetch, type FetchImplementation, type JWK } from 'jose';
import { toPrintable } from '#server/core/printable.ts';
import type { ServerPorts } from '#server/core/ports.ts';
import { isPrivateAddress } from '#server/ops/process/read-provider.ts';
import { SIGNATURE_ALGORITHMS } from '#server/people/accounts/signature-algorithms.ts';
import { reasonOf } from '#server/people/oidc/provider.ts';
import { type Check, failed, ok } from './checks.ts';

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 256 * 2 ** 10;

/** Reads the keys at an address, which another machine may have named, as sign-in does. */
export async function checkKeys(
  subject: string,
  url: string,
  { now }: Pick<ServerPorts, 'now'>,
): Promise<{ readonly check: Check; readonly clock?: readonly [string, number] }> {
  const name = toPrintable(url);
  if (!isPrivateAddress(url))
    return { check: failed(subject, `The address of the keys, ${name}, is not an https address.`) };
  let date = NaN;
  const read: FetchImplementation = async (address, options) => {
    const response = await fetch(address, { ...options, redirect: 'error' });
    date = Date.parse(response.headers.get('date') ?? '');
    return new Response(await readBounded(response), { status: response.status });
  };
  try {
    const remote = createRemoteJWKSet(new URL(url), { timeoutDuration: TIMEOUT_MS, [customFetch]: read });
    await remote.reload();
    const usable = await Promise.all((remote.jwks()?.keys ?? []).map(canVerify));
    const count = usable.filter(Boolean).length;
    const check =
      count > 0
        ? ok(subject, `${name} lists ${count === 1 ? 'one key' : `${String(count)} keys`} that can verify signatures.`)
        : failed(subject, `${name} lists no key that can verify signatures: check the address.`);
    return { check, ...(!Number.isNaN(date) && { clock: [new URL(url).host, date - now()] as const }) };
  } catch (error) {
    return { check: failed(subject, `${name} cannot be read: ${reasonOf(error)}.`) };
  }
}

async function readBounded(response: Response): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.byteLength;
    if (size > MOST_BYTES) throw new Error('it sends more than 256 kB');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

async function canVerify(key: JWK): Promise<boolean> {
  const find = createLocalJWKSet({ keys: [key] });
  return Promise.any(SIGNATURE_ALGORITHMS.map((alg) => find({ alg }))).then(
    () => true,
    () => false,
  );
}
