import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

/** A server from which a reverse proxy learns who sends a request, and that publishes the keys of its tokens. */
export interface AuthServer {
  /** The host and port of the server. */
  readonly host: string;
  /** Signs a token with the newest key. */
  readonly sign: (claims: Readonly<Record<string, unknown>>, change?: (token: SignJWT) => SignJWT) => Promise<string>;
  readonly rotateKey: () => Promise<void>;
  /** Makes the keys of tokens unavailable for now. */
  isKeysDown: boolean;
  readonly close: () => Promise<void>;
}

export const ISSUER = 'https://proxy.example';
export const AUDIENCE = 'perpdesk';

/** Starts a server that identifies people by a cookie: `who=ann.traders` is Ann, of the group traders, and `who=ann` of none. */
export async function startAuthServer(): Promise<AuthServer> {
  let key = await makeKey(1);
  const auth: { isKeysDown: boolean } = { isKeysDown: false };
  const sign: AuthServer['sign'] = (claims, change = (token) => token) => {
    const token = new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: key.kid })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt()
      .setExpirationTime('5m');
    return change(token).sign(key.privateKey);
  };
  const server = createServer((request, response) => {
    if (request.url === '/keys') {
      response
        .writeHead(auth.isKeysDown ? 503 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ keys: [key.jwk] }));
      return;
    }
    const [, name, group = ''] = /who=(\w+)\.?(\w*)/.exec(request.headers.cookie ?? '') ?? [];
    if (name === undefined) {
      response.writeHead(401).end('Who are you?');
      return;
    }
    void sign({ sub: name, groups: [group] }).then((token) =>
      response.writeHead(200, { 'remote-user': name, 'remote-groups': group, 'proxy-token': token }).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A listening server has a port.');
  return Object.assign(auth, {
    host: `127.0.0.1:${String(address.port)}`,
    sign,
    rotateKey: async () => {
      key = await makeKey(Number(key.kid) + 1);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

interface Key {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

async function makeKey(number: number): Promise<Key> {
  const kid = String(number);
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}
