import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';

/** How a provider responds at the token endpoint, to test what Perpdesk must not believe. */
export interface TokenScript {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly issuer?: string;
  readonly audience?: string;
  readonly expires?: string;
  /** Whether the token is signed with another key. */
  readonly isForged?: boolean;
  readonly isWithoutIdToken?: boolean;
  readonly status?: number;
  /** The error code of a failure. */
  readonly error?: string;
  readonly refreshToken?: string;
  /** The content of the user info, if the provider has one. */
  readonly userInfo?: Readonly<Record<string, unknown>>;
}

/** How a logout token differs from a valid one. */
export interface LogoutScript {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly issuer?: string;
  readonly audience?: string;
  /** In seconds from now. */
  readonly issued?: number;
  readonly expires?: number;
  readonly isForged?: boolean;
}

export const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** A provider that responds as a test determines. */
export interface ScriptedProvider {
  readonly issuer: string;
  /** The script for the next token. */
  script: TokenScript;
  /** What Perpdesk last sent to the token endpoint. */
  readonly received: () => URLSearchParams;
  /** How many tokens were requested. */
  readonly tokenRequests: () => number;
  readonly nonceOf: (nonce: string) => void;
  readonly logoutToken: (script?: LogoutScript) => Promise<string>;
  isDown: boolean;
  readonly close: () => Promise<void>;
}

export const CLIENT_ID = 'perpdesk';

export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const [own, foreign] = await Promise.all([generateKeyPair('ES256', { extractable: true }), generateKeyPair('ES256')]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: '1', alg: 'ES256', use: 'sig' };
  const state: { script: TokenScript; isDown: boolean } = { script: {}, isDown: false };
  let received = new URLSearchParams();
  let tokenRequests = 0;
  let nonce = '';
  let issuer = '';

  const toTokens = async ({ claims = {}, isWithoutIdToken = false, ...script }: TokenScript): Promise<object> => {
    const key: CryptoKey = script.isForged === true ? foreign.privateKey : own.privateKey;
    const token = new SignJWT({ sub: 'ann', preferred_username: 'Ann', groups: ['traders'], nonce, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: '1' })
      .setIssuedAt()
      .setIssuer(script.issuer ?? issuer)
      .setAudience(script.audience ?? CLIENT_ID)
      .setExpirationTime(script.expires ?? '5m');
    return {
      access_token: 'access',
      token_type: 'Bearer',
      expires_in: 300,
      ...(script.refreshToken !== undefined && { refresh_token: script.refreshToken }),
      ...(!isWithoutIdToken && { id_token: await token.sign(key) }),
    };
  };
  const respond = async (url: string, body: string): Promise<{ readonly status: number; readonly value: object }> => {
    if (state.isDown) return { status: 503, value: {} };
    if (url === '/keys') return { status: 200, value: { keys: [jwk] } };
    if (url === '/token') {
      received = new URLSearchParams(body);
      tokenRequests += 1;
      return {
        status: state.script.status ?? 200,
        value:
          state.script.status === undefined
            ? await toTokens(state.script)
            : { error: state.script.error ?? 'invalid_grant' },
      };
    }
    if (url === '/user-info') return { status: 200, value: { sub: 'ann', ...state.script.userInfo } };
    const metadata = {
      issuer,
      ...(state.script.userInfo !== undefined && { userinfo_endpoint: `${issuer}/user-info` }),
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      end_session_endpoint: `${issuer}/end`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    };
    return { status: 200, value: metadata };
  };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      void respond(request.url ?? '', body).then(({ status, value }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value)),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A listening server has a port.');
  issuer = `http://127.0.0.1:${String(address.port)}`;
  return Object.assign(state, {
    issuer,
    received: () => received,
    tokenRequests: () => tokenRequests,
    logoutToken: ({
      claims,
      header,
      issuer: by = issuer,
      audience = CLIENT_ID,
      issued = 0,
      expires = 120,
      isForged = false,
    }: LogoutScript = {}) => {
      const seconds = Math.floor(Date.now() / 1_000);
      const payload = {
        jti: randomUUID(),
        sub: 'ann',
        events: { [LOGOUT_EVENT]: {} },
        iss: by,
        aud: audience,
        iat: seconds + issued,
        exp: seconds + expires,
        ...claims,
      };
      return new SignJWT(payload)
        .setProtectedHeader({ alg: 'ES256', kid: '1', typ: 'logout+jwt', ...header })
        .sign(isForged ? foreign.privateKey : own.privateKey);
    },
    nonceOf: (next: string) => {
      nonce = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}
