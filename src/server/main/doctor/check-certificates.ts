import { X509Certificate } from 'node:crypto';
import { connect as connectPlain, isIP, type LookupFunction } from 'node:net';
import { connect as connectTls, getCACertificates, TLSSocket } from 'node:tls';
import { toFailedSend } from '#server/alerts/notifications/sender.ts';
import { type Check, failed, ok, warning } from './checks.ts';

const DAY_MS = 86_400_000;
/** Programs that renew certificates do so at least this long before they expire. */
const SOON_MS = 14 * DAY_MS;
const TIMEOUT_MS = 10_000;

/** Returns how a sentence about a certificate ends, and whether it expires soon. */
function describeEnd(validTo: number, now: number): { readonly isSoon: boolean; readonly text: string } {
  const isSoon = validTo - now < SOON_MS;
  const days = Math.floor((validTo - now) / DAY_MS);
  return {
    isSoon,
    text: isSoon
      ? `expires in ${days === 1 ? 'one day' : `${String(days)} days`}: renew it`
      : `is valid until ${new Date(validTo).toISOString().slice(0, 10)}`,
  };
}

/** Checks the certificate that Perpdesk itself presents, and its chain, as browsers do. */
export function checkOwnCertificate(pem: string, publicUrl: string | null, now: number): Check {
  const subject = 'TLS certificate';
  const chain = (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (each) => new X509Certificate(each),
  );
  const [leaf] = chain;
  if (leaf === undefined) return failed(subject, 'DESK_TLS_CERT holds no certificate in PEM.');
  const renew = 'Renew it: Perpdesk loads it again when the file changes.';
  const ended = chain.find(({ validTo }) => Date.parse(validTo) <= now);
  if (ended !== undefined) return failed(subject, `It, or one in its chain, expired on ${ended.validTo}. ${renew}`);
  if (Date.parse(leaf.validFrom) > now) return failed(subject, `It is not valid before ${leaf.validFrom}.`);
  const host = publicUrl === null ? null : new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  if (host !== null && (isIP(host) === 0 ? leaf.checkHost(host) : leaf.checkIP(host)) === undefined)
    return failed(subject, `It is not for ${host}, the host of DESK_PUBLIC_URL: get one that is.`);
  const broken = chain.findIndex((each, index) => index > 0 && !hasIssued(each, chain[index - 1] ?? leaf));
  if (broken > 0)
    return failed(
      subject,
      `Certificate ${String(broken + 1)} of DESK_TLS_CERT did not issue the one before it: the file must hold the ` +
        'certificate first, then each one that issued it.',
    );
  if (!isAnchored(chain.at(-1) ?? leaf))
    return warning(
      subject,
      `DESK_TLS_CERT lacks the certificate of “${toOneLine(leaf.issuer)}”, without which browsers may reject it: ` +
        'append it to the file. If it is your own authority, set DESK_CA_FILE to it.',
    );
  const { isSoon, text } = describeEnd(Math.min(...chain.map(({ validTo }) => Date.parse(validTo))), now);
  return isSoon ? warning(subject, `It ${text}.`) : ok(subject, `It ${text}.`);
}

function hasIssued(issuer: X509Certificate, issued: X509Certificate): boolean {
  return issued.checkIssued(issuer) && issued.verify(issuer.publicKey);
}

function isAnchored(last: X509Certificate): boolean {
  return (
    hasIssued(last, last) || getCACertificates('default').some((each) => hasIssued(new X509Certificate(each), last))
  );
}

function toOneLine(name: string): string {
  return name.replaceAll('\n', ', ');
}

/** Opens a connection, with TLS unless the address is plain, and closes it. Nothing is sent. */
export async function checkAddress(
  subject: string,
  address: string,
  now: number,
  lookup?: LookupFunction,
): Promise<Check> {
  const url = new URL(address);
  try {
    const validTo = await connectTo(url, lookup);
    if (validTo === null) return ok(subject, `${url.host} accepts connections.`);
    const { isSoon, text } = describeEnd(validTo, now);
    return (isSoon ? warning : ok)(subject, `${url.host} accepts connections; its certificate ${text}.`);
  } catch (error) {
    return failed(subject, `${url.host}: ${toFailedSend(error).reason}`);
  }
}

/** Resolves to the end of the peer’s certificate; to null for a plain connection. */
function connectTo(url: URL, lookup: LookupFunction | undefined): Promise<number | null> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isPlain = url.protocol === 'http:';
  const options = {
    host,
    port: Number(url.port || (isPlain ? 80 : 443)),
    ...(lookup !== undefined && { lookup }),
  };
  return new Promise((resolve, reject) => {
    const socket = isPlain
      ? connectPlain(options)
      : connectTls({ ...options, ...(isIP(host) === 0 && { servername: host }) });
    socket.setTimeout(TIMEOUT_MS, () => {
      socket.destroy(new DOMException('', 'TimeoutError'));
    });
    socket.once('error', reject).once(isPlain ? 'connect' : 'secureConnect', () => {
      const validTo = socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : null;
      socket.destroy();
      resolve(validTo);
    });
  });
}
