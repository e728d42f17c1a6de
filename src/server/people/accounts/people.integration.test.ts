import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpPerson, PASSWORD, type HttpPerson } from '#testing/access/http-person.ts';
import { invitationIn, startPeopleDesk, type PeopleDesk } from '#testing/access/people-desk.ts';
import { runProgram } from '#testing/run-program.ts';

let room: PeopleDesk;
let admin: HttpPerson;

beforeAll(async () => {
  // Enough orders that each account fills a page at any hour.
  room = await startPeopleDesk({}, ['--live', 'off', '--orders', '2000', '--working', '40']);
  // The person of the first start already exists.
  admin = await room.accept(invitationIn(await room.user('invite', 'admin')));
}, 120_000);

afterAll(async () => {
  await room.stop();
});

const NO_ORDERS = { all: false, accounts: [], firms: [], connections: [] };
const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString();

type Listed = Readonly<Record<string, unknown>> & { readonly id: string; readonly name: string };

async function peopleOf(person: HttpPerson): Promise<readonly Listed[]> {
  return (await person.get('/api/desk/people')).body['people'] as readonly Listed[];
}

async function idOf(name: string): Promise<string> {
  return (await peopleOf(admin)).find((person) => person.name === name)?.id ?? '';
}

async function auditOf(kind: string): Promise<readonly Listed[]> {
  return ((await admin.get('/api/desk/audit?limit=1000')).body['entries'] as readonly Listed[]).filter(
    (entry) => entry['kind'] === kind,
  );
}

describe('administrators', () => {
  it('add, invite, change, disable and delete people, each with effect at once', async () => {
    expect(
      (
        await admin.act('putPerson', {
          id: '',
          name: 'Ann',
          roles: ['orders'],
          scope: { ...NO_ORDERS, accounts: ['NORD-105'] },
          disabled: false,
        })
      ).status,
    ).toBe(200);
    const id = await idOf('Ann');
    const { path } = (await admin.act('invitePerson', null, { id })).body as { readonly path: string };
    const ann = await room.accept(path.replace('/invitation#', ''));
    expect((await peopleOf(admin)).find((person) => person.id === id)).toMatchObject({
      has_password: true,
      sessions: 1,
      invited_until: null,
      disabled: false,
    });
    expect((await ann.get('/api/desk/journal')).status).toBe(200);
    await admin.act('putPerson', { id, name: 'Ann', roles: ['markets'], scope: NO_ORDERS, disabled: false });
    expect((await ann.get('/api/desk/journal')).status).toBe(403);
    await admin.act('putPerson', { id, name: 'Ann', roles: ['markets'], scope: NO_ORDERS, disabled: true });
    expect((await ann.get('/api/desk/status')).status).toBe(401);
    expect((await ann.act('signIn', { name: 'Ann', password: PASSWORD })).status).toBe(401);
    await admin.act('putPerson', { id, name: 'Ann', roles: ['markets'], scope: NO_ORDERS, disabled: false });
    expect((await ann.get('/api/desk/status')).status).toBe(401);
    expect((await ann.act('signIn', { name: 'Ann', password: PASSWORD })).status).toBe(200);
    expect((await admin.act('deletePerson', null, { id })).status).toBe(200);
    expect((await ann.get('/api/desk/status')).status).toBe(401);
  });

  it('do not replace what another has changed meanwhile', async () => {
    await admin.act('putPerson', { id: '', name: 'Bob', roles: ['operations'], scope: NO_ORDERS, disabled: false });
    const id = await idOf('Bob');
    const before = { name: 'Bob', roles: ['operations'], scope: NO_ORDERS, disabled: false };
    const taken = { ...before, roles: ['markets'] };
    expect((await admin.act('putPerson', { id, ...taken, before })).status).toBe(200);
    expect(await admin.act('putPerson', { id, ...before, disabled: true, before })).toMatchObject({
      status: 409,
      body: { detail: '"Bob" has been changed meanwhile, so nothing was saved.' },
    });
    expect((await peopleOf(admin)).find((person) => person.id === id)).toMatchObject(taken);
    expect((await admin.act('putPerson', { id, ...taken, disabled: true, before: taken })).status).toBe(200);
    expect((await admin.act('putPerson', { id, ...taken, before: taken })).status).toBe(409);
  });

  it('see all mistakes of a person that cannot be saved, and remain', async () => {
    const { status, body } = await admin.act('putPerson', {
      id: '',
      name: '  ',
      roles: ['everything'],
      scope: { ...NO_ORDERS, accounts: [''] },
      disabled: false,
    });
    expect([status, (body['errors'] as readonly { readonly path: string }[]).map(({ path }) => path)]).toEqual([
      400,
      ['$.roles[0]'],
    ]);
    const others = await admin.act('putPerson', {
      id: '',
      name: '  ',
      roles: [],
      scope: { ...NO_ORDERS, accounts: [''] },
      disabled: false,
    });
    expect((others.body['errors'] as readonly { readonly path: string }[]).map(({ path }) => path)).toEqual([
      '$.name',
      '$.scope.accounts',
    ]);
    expect(await admin.act('deletePerson', null, { id: await idOf('admin') })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('only administrator') as string },
    });
  });
});

describe('a token for a program', () => {
  it('reads what it may without cookie or forgery token, is no session, and ends with its person’s rights', async () => {
    const bea = await room.join('Bea', '--role', 'orders', '--account', 'NORD-105');
    const grant = {
      name: 'Nightly report',
      roles: ['orders'],
      scope: { ...NO_ORDERS, accounts: ['NORD-105'] },
      expires_at: tomorrow(),
    };
    expect((await bea.act('createToken', { ...grant, roles: ['operations'] })).status).toBe(403);
    expect((await bea.act('createToken', { ...grant, scope: { ...NO_ORDERS, all: true } })).status).toBe(403);
    expect((await bea.act('createToken', { ...grant, scope: { ...NO_ORDERS, accounts: ['NORD-107'] } })).status).toBe(
      403,
    );
    expect(
      (await bea.act('createToken', { ...grant, expires_at: new Date(Date.now() + 400 * 86_400_000).toISOString() }))
        .status,
    ).toBe(400);
    expect((await bea.act('createToken', { ...grant, name: 'Nightly\u202etroper' })).status).toBe(400);
    const { status, body: created } = await bea.act('createToken', grant);
    expect(status).toBe(200);
    expect((await auditOf('token changed'))[0]?.['detail']).toBe(
      `Created the API token "Nightly report": roles orders; orders of accounts NORD-105; expires ${grant.expires_at}.`,
    );
    const headers = { authorization: `Bearer ${String(created['token'])}` };
    const program = createHttpPerson(room.desk.address);
    expect((await program.get('/api/desk/me', { headers })).body).toMatchObject({
      me: { name: 'Bea, Nightly report', way: 'token', roles: ['orders'] },
      forgery_token: null,
    });
    expect((await program.get('/api/desk/journal', { headers })).status).toBe(200);
    expect((await program.act('createToken', grant, {}, headers)).status).toBe(403);
    expect((await program.act('changePassword', { before: '', password: PASSWORD }, {}, headers)).status).toBe(403);
    expect((await bea.get('/api/desk/journal', { headers })).status).toBe(403);
    expect((await program.get('/api/desk/journal', { headers: { authorization: 'Bearer nonsense' } })).status).toBe(
      401,
    );
    expect((await program.get('/api/desk/journal', { headers: { authorization: 'Basic YTpi' } })).status).toBe(401);
    await room.user('set', 'Bea', '--role', 'markets');
    expect((await program.get('/api/desk/journal', { headers })).status).toBe(403);
    const [token] = (await bea.get('/api/desk/tokens')).body['tokens'] as readonly Listed[];
    expect(JSON.stringify(token)).not.toContain(created['token']);
    expect((await bea.act('endToken', null, { id: token?.id ?? '' })).status).toBe(200);
    expect((await program.get('/api/desk/status', { headers })).status).toBe(401);
  });
});

describe('guessing a password', () => {
  it('with a name that no person can have is rejected before the name is compared', async () => {
    const stranger = createHttpPerson(room.desk.address);
    // Each of these has 18 characters in the form in which names are compared.
    const [long, longest] = await Promise.all(
      ['\ufdfa'.repeat(65), '\ufdfa'.repeat(340_000)].map((name) =>
        stranger.act('signIn', { name, password: 'guess' }),
      ),
    );
    expect([long?.status, long?.body['detail']]).toEqual([400, 'The body has a mistake at $.name.']);
    expect(longest?.status).toBe(413);
    expect((await stranger.act('acceptInvitation', { invitation: 'x'.repeat(3_000), password: PASSWORD })).status).toBe(
      400,
    );
    expect((await stranger.act('signInWithPasskey', { id: 'x', name: '', response: 'x'.repeat(20_000) })).status).toBe(
      400,
    );
  });

  it('is slowed down for a name from a network, but not in a browser that has signed in before', async () => {
    const cas = await room.join('Cas', '--role', 'markets');
    await cas.act('signOut');
    const stranger = createHttpPerson(room.desk.address);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1)
      statuses.push((await stranger.act('signIn', { name: 'Cas', password: `guess ${String(attempt)}` })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    const right = await stranger.act('signIn', { name: 'Cas', password: PASSWORD });
    expect([right.status, Number(right.headers.get('retry-after')) > 800]).toEqual([429, true]);
    expect((await cas.act('signIn', { name: 'Cas', password: PASSWORD })).status).toBe(200);
  });
});

it('wrong passkeys and invitations of one person do not keep others in their network out', async () => {
  const stranger = createHttpPerson(room.desk.address);
  const attempt = () =>
    Promise.all([
      stranger.act('signInWithPasskey', { id: 'none', name: '', response: '{}' }),
      stranger.act('acceptInvitation', { invitation: 'none', password: PASSWORD }),
    ]);
  for (let times = 0; times < 6; times += 1) expect((await attempt()).map(({ status }) => status)).toEqual([403, 403]);
  await room.join('Hal', '--role', 'markets');
});

describe('the log of what was done', () => {
  it('has who signed in, was refused, read and exported what, and what was changed', async () => {
    const dan = await room.join('Dan', '--role', 'operations', '--all-orders');
    const id = await idOf('Dan');
    await dan.get('/api/orders?limit=5&account_id=NORD-105');
    await dan.get('/api/desk/people');
    await dan.act('recordExport', { what: 'Working orders, CSV', filter: 'account=NORD-105', count: 12 });
    await dan.act('deleteRule', null, { id: 'none' });
    await dan.act('putRule', {
      rule: {
        id: 'many',
        name: 'Many orders',
        enabled: true,
        severity: 'warning',
        channels: [],
        for_seconds: 0,
        about: 'orders',
        measure: 'count',
        filter: {},
        each: 'all',
        comparison: 'over',
        value: 1_000_000,
        unit: 'orders',
      },
    });
    const kai = await room.join('Kai');
    const nothing = await kai.act('recordExport', { what: 'anything', filter: '', count: 1 });
    expect([nothing.status, nothing.body['type']]).toEqual([403, expect.stringContaining('not-allowed')]);
    expect((await auditOf('exported'))[0]).toMatchObject({
      who: id,
      name: 'Dan',
      address: '127.0.0.1',
      filter: 'account=NORD-105',
      rows: 12,
    });
    expect((await auditOf('rule changed')).map(({ detail }) => detail)).toEqual([
      'Saved the rule "Many orders" (many).',
    ]);
    expect((await auditOf('sign-in')).some((entry) => entry['who'] === id)).toBe(true);
    expect((await auditOf('person changed')).map(({ detail }) => detail)).toContain(
      'Added "Dan": roles operations; all orders.',
    );
    const byDan = (await admin.get(`/api/desk/audit?who=${id}&limit=1`)).body as {
      readonly entries: readonly Listed[];
      readonly pagination: { readonly cursor: string };
    };
    expect(byDan.entries).toHaveLength(1);
    expect(
      (
        (await admin.get(`/api/desk/audit?who=${id}&limit=1&cursor=${byDan.pagination.cursor}`)).body[
          'entries'
        ] as readonly Listed[]
      )[0]?.['number'],
    ).toBeLessThan(Number(byDan.entries[0]?.['number']));
  });

  it(
    'is exported from a desk that runs and checked by others, who notice each changed line; reads of a minute are one entry',
    { timeout: 120_000 },
    async () => {
      const audit = (...args: readonly string[]) =>
        runProgram('src/server/main/audit.ts', args, { DESK_DATA_DIR: room.folder });
      const file = join(room.folder, 'audit.jsonl');
      expect(await audit('check')).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^The audit log is intact: \d+ entries, none changed or missing\.\n$/) as string,
      });
      const eve = await room.join('Eve', '--role', 'orders', '--all-orders');
      let rows = 0;
      for (let page = 0; page < 3; page += 1)
        rows += (
          (await eve.get(`/api/orders?limit=${String(1 + page)}&account_id=NORD-105`)).body[
            'data'
          ] as readonly unknown[]
        ).length;
      expect(rows).toBeGreaterThan(0);
      await eve.get('/api/desk/people');
      expect(await room.desk.stop()).toBe(0);
      expect(await audit('export', file)).toMatchObject({ code: 0 });
      expect(await audit('export', file)).toMatchObject({ code: 1 });
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      const read = lines
        .filter((line) => line.includes('"orders read"') && line.includes('"name":"Eve"'))
        .map((line) => JSON.parse(line) as Listed);
      // A minute may end in between.
      expect([
        read.length < 3,
        read.reduce((sum, entry) => sum + Number(entry['rows']), 0),
        new Set(read.map(({ filter }) => filter)),
      ]).toEqual([true, rows, new Set(['account_id=NORD-105'])]);
      expect(lines.some((line) => line.includes('"request refused"') && line.includes('GET /api/desk/people'))).toBe(
        true,
      );
      expect(lines.join('\n')).not.toContain(PASSWORD);
      expect(await audit('check', file)).toMatchObject({ code: 0 });
      const changed = lines.map((line, index) => (index === 5 ? line.replace('"address":"', '"address":"1') : line));
      writeFileSync(file, `${changed.join('\n')}\n`);
      expect(await audit('check', file)).toMatchObject({
        code: 1,
        stderr: 'perpdesk: Entry 5 is not as it was written. Before that, 4 entries are unchanged.\n',
      });
      expect(await audit('check')).toMatchObject({ code: 0 });
      expect(await audit('frob')).toMatchObject({ code: 2, stderr: expect.stringContaining('audit --help') as string });
    },
  );
});
