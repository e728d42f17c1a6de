import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The mail as it was sent, with headers and body. */
  readonly source: string;
  readonly user: string | null;
  readonly isEncrypted: boolean;
}

/** A mail server that accepts every mail, unless it is set to reject it. */
export interface MailServer {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  readonly connections: () => number;
  /** Sets the reply code to the next mails; null: they are accepted. */
  readonly rejects: (code: number | null) => void;
  readonly close: () => Promise<void>;
}

export interface MailServerOptions {
  readonly certificate: { readonly key: string; readonly cert: string };
  /** Whether to use TLS from the first byte on, rather than STARTTLS. */
  readonly isTls?: boolean;
  readonly withoutStartTls?: boolean;
  readonly login?: { readonly user: string; readonly password: string };
}

export async function openMailServer({
  certificate,
  isTls = false,
  withoutStartTls = false,
  login,
}: MailServerOptions): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let rejection: number | null = null;
  let connections = 0;
  const server = new SMTPServer({
    ...certificate,
    secure: isTls,
    authOptional: login === undefined,
    disabledCommands: [...(withoutStartTls ? ['STARTTLS'] : []), ...(login === undefined ? ['AUTH'] : [])],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onConnect: (_, done) => {
      connections += 1;
      done();
    },
    onAuth: ({ username, password }, _, done) => {
      // A careless server repeats what it received.
      if (username === login?.user && password === login?.password) done(null, { user: username });
      else done(new Error(`no user ${String(username)} with ${String(password)}`));
    },
    onData: (stream, session, done) => {
      void text(stream).then((source) => {
        if (rejection !== null) {
          done(Object.assign(new Error('no thanks'), { responseCode: rejection }));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source,
          user: typeof session.user === 'string' ? session.user : null,
          isEncrypted: session.secure,
        });
        done();
      }, done);
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    connections: () => connections,
    rejects: (code) => {
      rejection = code;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
      }),
  };
}
