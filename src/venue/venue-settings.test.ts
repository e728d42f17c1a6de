import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readVenueSettings } from './venue-settings.ts';

const TOKEN = '0123456789abcdef'.repeat(4);
const read = (line: string) => readVenueSettings(line === '' ? [] : line.split(' '));

const folder = mkdtempSync(join(tmpdir(), 'venue-settings-'));
const CREDENTIAL_FILE = join(folder, 'credentials');
writeFileSync(CREDENTIAL_FILE, `3f:${TOKEN}:HALC-101,HALC-102\na1:${TOKEN}\n`, { mode: 0o600 });
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('readVenueSettings', () => {
  it('has the documented defaults', () => {
    expect(read('').settings).toEqual({
      port: 4010,
      store: '.perpdesk/venue.sqlite',
      seed: 7,
      orders: 20_000,
      working: 1_200,
      historyDays: 730,
      credentials: [],
      budget: { requests: 200, seconds: 300 },
      live: true,
      clock: null,
      speed: 1,
      persistLagMs: 500,
      activity: 1,
      cursors: { end: 'same', encoding: 'percent' },
    });
  });

  it('reads every option, its value after a space or an equals sign', () => {
    const line = `--port=0 --store :memory: --seed 3 --orders 5 --working=6 --history-days 9 --budget 0 --live off
      --clock 2026-08-17T12:00:00.5Z --speed 2.5 --persist-lag 0 --activity 10 --cursor-end null --cursor-encoding plain
      --credential-file ${CREDENTIAL_FILE}`;
    expect(readVenueSettings(line.split(/\s+/)).settings).toEqual({
      port: 0,
      store: ':memory:',
      seed: 3,
      orders: 5,
      working: 6,
      historyDays: 9,
      credentials: [
        { connectionId: '3f', token: TOKEN, accounts: ['HALC-101', 'HALC-102'] },
        { connectionId: 'a1', token: TOKEN, accounts: null },
      ],
      budget: null,
      live: false,
      clock: Date.parse('2026-08-17T12:00:00.500Z') * 1000,
      speed: 2.5,
      persistLagMs: 0,
      activity: 10,
      cursors: { end: 'null', encoding: 'plain' },
    });
  });

  it.each(['postgres://venue:secret@db.example/venue', 'postgresql:///venue', 'HTTP://localhost/'])(
    'refuses a store that is neither memory nor a file: %s',
    (store) => {
      expect(read(`--store ${store}`)).toEqual({
        settings: null,
        problems: [
          '--store is an address; it must be :memory: or the path of a file: the exchange is stored in SQLite only.',
        ],
      });
    },
  );

  it('reports all mistakes at once, each with its option', () => {
    const { settings, problems } = read('--port 70000 --speed 0 --clock yesterday --budget many --live maybe --seed');
    expect(settings).toBeNull();
    expect(problems).toHaveLength(6);
    for (const name of ['port', 'speed', 'clock', 'budget', 'live', 'seed']) {
      expect(problems?.some((problem) => problem.startsWith(`--${name} `))).toBe(true);
    }
  });

  it.each(['0', '-1', '50001', '1e3', 'fast'])('refuses the speed %s', (speed) => {
    expect(read(`--speed ${speed}`).problems).toEqual([
      `--speed is "${speed}"; it must be a number above 0, at most 50000.`,
    ]);
  });

  it.each(['--prot 4010', 'port 4010', '-port 4010', '---port 4010'])(
    'names an unknown option and lists the known ones: %s',
    (line) => {
      expect(read(line).problems?.[0]).toMatch(/^Unknown option ".+"\. Options are --port, /);
    },
  );

  it('reads credentials from the environment, apart by white space', () => {
    expect(
      readVenueSettings([], { VENUE_CREDENTIAL: `3f:${TOKEN} a1:${TOKEN}:HALC-101` }).settings?.credentials,
    ).toEqual([
      { connectionId: '3f', token: TOKEN, accounts: null },
      { connectionId: 'a1', token: TOKEN, accounts: ['HALC-101'] },
    ]);
    expect(readVenueSettings([], { VENUE_CREDENTIAL: '' }).settings?.credentials).toEqual([]);
  });

  it.each([`--credential 3f:${TOKEN}`, `--credential=3f:${TOKEN}`, '--credential file'])(
    'refuses a credential on the command line and says where to put it: %s',
    (line) => {
      expect(read(line)).toEqual({
        settings: null,
        problems: [
          '--credential is not accepted: other users of this machine can read a command line. Use --credential-file <path>, or set VENUE_CREDENTIAL.',
        ],
      });
    },
  );

  it('refuses a credential file that other users can read, or that does not exist', () => {
    const open = join(folder, 'open');
    writeFileSync(open, `3f:${TOKEN}`);
    chmodSync(open, 0o640);
    expect(read(`--credential-file ${open}`).problems).toEqual([
      `Other users have access to the file ${open} (mode 640): run "chmod 600 ${open}".`,
    ]);
    expect(read(`--credential-file ${folder}/gone`).problems).toEqual([`The file ${folder}/gone does not exist.`]);
  });

  it('refuses two sources of credentials', () => {
    expect(
      readVenueSettings(['--credential-file', CREDENTIAL_FILE], { VENUE_CREDENTIAL: `3f:${TOKEN}` }).problems,
    ).toEqual(['--credential-file and VENUE_CREDENTIAL are both set: remove one of them.']);
  });

  it('never repeats a token in a problem', () => {
    const { problems } = readVenueSettings([], { VENUE_CREDENTIAL: `3f:${TOKEN}:a:b zz:${TOKEN}` });
    expect(problems).toHaveLength(2);
    for (const problem of problems ?? []) expect(problem).not.toContain(TOKEN.slice(0, 8));
  });

  it('never repeats a token behind a mistyped option', () => {
    const { problems } = read(`--credentials 3f:${TOKEN} --token=${TOKEN}`);
    expect(problems).toHaveLength(3);
    for (const problem of problems ?? []) expect(problem).not.toContain(TOKEN.slice(0, 8));
  });

  it('refuses two tokens for one connection', () => {
    const { problems } = readVenueSettings([], { VENUE_CREDENTIAL: `3f:${TOKEN} 3F:${TOKEN}` });
    expect(problems).toEqual(['VENUE_CREDENTIAL names the connection 3F twice; a connection has one token.']);
  });
});
