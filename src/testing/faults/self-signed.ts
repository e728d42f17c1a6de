import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';

const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
/** The extension basicConstraints, which marks a certificate authority. */
const BASIC_CONSTRAINTS = sequence(
  Buffer.from('0603551d13', 'hex'),
  der(0x01, Buffer.from([0xff])),
  der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
);

/** Encodes the extension subjectAltName, with 127.0.0.1 and a host name. */
function subjectAltName(host: string): Buffer {
  return sequence(
    Buffer.from('0603551d11', 'hex'),
    der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1])), der(0x82, Buffer.from(host)))),
  );
}

/** Creates a valid, self-signed certificate for 127.0.0.1 and a host name, until some days from now. */
export function makeSelfSigned(
  now: number,
  host = 'localhost',
  days = 1,
): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  });
  const name = sequence(
    der(0x31, sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('a venue of the tests')))),
  );
  const unsigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime(now - DAY_MS), utcTime(now + days * DAY_MS)),
    name,
    publicKey,
    der(0xa3, sequence(BASIC_CONSTRAINTS, subjectAltName(host))),
  );
  const signature = sign('sha256', unsigned, createPrivateKey(privateKey));
  const certificate = sequence(unsigned, ECDSA_WITH_SHA256, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return {
    key: privateKey,
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function utcTime(at: number): Buffer {
  const text = new Date(at).toISOString().replace(/^\d\d|[-:T]|\.\d+/g, '');
  return der(0x17, Buffer.from(text));
}

/** Encodes DER: tag, length, value. */
function der(tag: number, value: Buffer): Buffer {
  const { byteLength } = value;
  const length =
    byteLength < 0x80
      ? [byteLength]
      : byteLength < 0x100
        ? [0x81, byteLength]
        : [0x82, byteLength >> 8, byteLength & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
}
