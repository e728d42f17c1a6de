import { describe, expect, it } from 'vitest';
import { readServerSettings } from './server-settings.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const KEY = 'R0UT1NGKEY'.repeat(3) + 'ab';
const SLACK = 'https://hooks.slack.com/services/T0/B0/s3cret';

function read(environment: Readonly<Record<string, string>>, secretFile = '') {
  return readServerSettings(environment, {
    read: () => '',
    readSecret: (path) =>
      path === 'open' ? { problem: 'other users may access (mode 644): run chmod 600 on it' } : { text: secretFile },
    credentialOf: () => null,
  });
}

const webhooks = (value: unknown) => ({ DESK_WEBHOOKS: JSON.stringify(value) });
const MAIL = {
  DESK_SMTP_URL: 'smtps://desk:p%40ss@mail.example',
  DESK_MAIL_FROM: 'perpdesk@firm.example',
  DESK_MAIL_TO: 'night=duty@firm.example',
};

describe('the channels', () => {
  it('are none by default', () => {
    expect(read({}).settings?.channels).toEqual([]);
  });

  it('are named addresses with a kind', () => {
    const value = {
      desk: { kind: 'standard', url: 'https://relay.internal/in', secret: SECRET, private: true },
      chat: { kind: 'slack', url: SLACK },
      duty: { kind: 'pagerduty', secret: KEY },
      local: { kind: 'standard', url: 'http://127.0.0.1:9000', secret: SECRET },
    };
    const expected = [
      { name: 'desk', kind: 'standard', url: 'https://relay.internal/in', secret: SECRET, allowsPrivate: true },
      { name: 'chat', kind: 'slack', url: SLACK, secret: '', allowsPrivate: false },
      {
        name: 'duty',
        kind: 'pagerduty',
        url: 'https://events.pagerduty.com/v2/enqueue',
        secret: KEY,
        allowsPrivate: false,
      },
      { name: 'local', kind: 'standard', url: 'http://127.0.0.1:9000', secret: SECRET, allowsPrivate: false },
    ];
    expect(read(webhooks(value)).settings?.channels).toEqual(expected);
    expect(read({ DESK_WEBHOOKS_FILE: 'file' }, `${JSON.stringify(value)}\n`).settings?.channels).toEqual(expected);
  });

  it('are named recipients of mail', () => {
    const { settings } = read({
      ...MAIL,
      DESK_MAIL_TO: 'night=duty@firm.example, risk=ann@firm.example,risk=bo@firm.example',
    });
    const server = {
      host: 'mail.example',
      port: 465,
      isTls: true,
      login: { user: 'desk', password: 'p@ss' },
      allowsPrivate: false,
    };
    expect(settings?.channels).toEqual([
      { name: 'night', kind: 'mail', server, from: 'perpdesk@firm.example', to: ['duty@firm.example'] },
      {
        name: 'risk',
        kind: 'mail',
        server,
        from: 'perpdesk@firm.example',
        to: ['ann@firm.example', 'bo@firm.example'],
      },
    ]);
    const local = read({ ...MAIL, DESK_SMTP_URL: 'smtp://[::1]:2525?private=1' }).settings?.channels[0];
    expect(local).toMatchObject({
      server: { host: '::1', port: 2_525, isTls: false, login: null, allowsPrivate: true },
    });
  });
});

describe('mistakes in the channels', () => {
  const standard = { kind: 'standard', url: 'https://a.example', secret: SECRET };
  it.each([
    [{ DESK_WEBHOOKS: 'https://a.example' }, [/^DESK_WEBHOOKS must be a JSON object of named addresses, such as /]],
    [
      { DESK_WEBHOOKS_FILE: 'open' },
      [/^DESK_WEBHOOKS_FILE is "open", which other users may access \(mode 644\): run chmod 600 on it\.$/],
    ],
    [{ DESK_WEBHOOKS_FILE: 'file' }, [/^DESK_WEBHOOKS_FILE is "file", which must hold a JSON object/]],
    [
      { ...webhooks({ a: 1, b: { ...standard, url: 'http://b.example' }, c: { ...standard, kind: 'teams' } }) },
      [
        /the address "a" must be an object/,
        /the address "b" must have an https url: only to this machine http is allowed\.$/,
        /the address "c" must have a kind: standard, slack, pagerduty\.$/,
      ],
    ],
    [
      webhooks({ 'https://hooks.slack.com/s3cret': standard }),
      [/: the address number 1 must have a name of up to 40 letters/],
    ],
    [
      webhooks({ a: { ...standard, url: 'https://user:s3cret@a.example' } }),
      [/must have a url without user and password/],
    ],
    [webhooks({ a: { ...standard, secret: 's3cret' } }), [/must have a secret: whsec_ and 24 to 64 bytes in base64/]],
    [webhooks({ a: { ...standard, s3cret: true } }), [/may have the fields kind, url, secret, private only/]],
    [webhooks({ a: { ...standard, private: 'yes' } }), [/true or false as private/]],
    [
      webhooks({ a: { kind: 'slack', url: SLACK, secret: 's3cret' } }),
      [/must have no secret: the url of Slack is one/],
    ],
    [webhooks({ a: { kind: 'pagerduty', secret: 's3cret' } }), [/must have a secret: the routing key of PagerDuty/]],
    [{ ...MAIL, ...webhooks({ Night: standard }) }, [/^DESK_WEBHOOKS and DESK_MAIL_TO name two channels "night"/]],
    [{ DESK_SMTP_URL: MAIL.DESK_SMTP_URL }, [/^DESK_MAIL_FROM is missing/, /^DESK_MAIL_TO is missing/]],
    [{ ...MAIL, DESK_SMTP_URL: 'mail.example:25' }, [/^DESK_SMTP_URL must be the address of a mail server/]],
    [{ ...MAIL, DESK_SMTP_URL: 'smtp://desk:s3cret@mail.example?tls=off' }, [/^DESK_SMTP_URL must be/]],
    [{ ...MAIL, DESK_MAIL_FROM: 'Desk <desk@firm.example>' }, [/^DESK_MAIL_FROM must be one mail address/]],
    [{ ...MAIL, DESK_MAIL_TO: 'duty@firm.example' }, [/^DESK_MAIL_TO must be names/]],
    [{ ...MAIL, DESK_MAIL_TO: 'a=b@c.example\nBcc: d@e.example' }, [/^DESK_MAIL_TO must be names/]],
  ] as readonly (readonly [Readonly<Record<string, string>>, readonly RegExp[]])[])(
    '%j: each is reported once, without secrets',
    (environment, expected) => {
      const result = read(environment, 's3cret');
      expect(result).toEqual({
        settings: null,
        problems: expected.map((sentence) => expect.stringMatching(sentence) as string),
      });
      expect(JSON.stringify(result)).not.toContain('s3cret');
    },
  );
});

describe('the heartbeat', () => {
  it('is an address that is requested once a minute, or as often as the settings say', () => {
    expect(read({}).settings?.heartbeat).toBeNull();
    const url = 'https://hc.example/ping/s3cret';
    expect(read({ DESK_HEARTBEAT_URL: url }).settings?.heartbeat).toEqual({ url, everySeconds: 60 });
    expect(read({ DESK_HEARTBEAT_URL: url, DESK_HEARTBEAT_SECONDS: '20' }).settings?.heartbeat).toEqual({
      url,
      everySeconds: 20,
    });
  });

  it('is not requested without encryption, and a mistake does not repeat the address', () => {
    const { problems } = read({ DESK_HEARTBEAT_URL: 'http://hc.example/s3cret' });
    expect(problems).toEqual(['DESK_HEARTBEAT_URL must have an https url: only to this machine http is allowed.']);
  });
});
