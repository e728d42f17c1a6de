import { describe, expect, it } from 'vitest';
import { parseCredential, readVenueSettings } from './venue-settings.ts';

const TOKEN = '0123456789abcdef'.repeat(4);
const read = (line: string) => readVenueSettings(line === '' ? [] : line.split(' '));

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
      cursors: { end: 'same', encoding: 'percent' },
    });
  });

  it('reads every option, its value after a space or an equals sign', () => {
    const line = `--port=0 --store :memory: --seed 3 --orders 5 --working=6 --history-days 9 --budget 0 --live off
      --clock 2026-08-17T12:00:00.5Z --speed 2.5 --persist-lag 0 --cursor-end null --cursor-encoding plain
      --credential 3f:${TOKEN}:HALC-101,HALC-102 --credential=a1:${TOKEN}`;
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
      cursors: { end: 'null', encoding: 'plain' },
    });
  });

  it('tells all mistakes at once, each with its option', () => {
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

  it.each(['--prot 4010', 'port 4010', '-port 4010', '---port 4010'])('names what is no option: %s', (line) => {
    expect(read(line).problems?.[0]).toMatch(/^".+" is no option; there are --port, /);
  });

  it('never repeats a token in a mistake', () => {
    const { problems } = read(`--credential 3f:${TOKEN}:a:b --credential zz:${TOKEN}`);
    expect(problems).toHaveLength(2);
    for (const problem of problems ?? []) expect(problem).not.toContain(TOKEN.slice(0, 8));
  });

  it('refuses two tokens for one connection', () => {
    const { problems } = read(`--credential 3f:${TOKEN} --credential 3F:${TOKEN}`);
    expect(problems).toEqual(['--credential names the connection 3F twice; a connection has one token.']);
  });
});

describe('parseCredential', () => {
  it.each([
    ['no token', '3f'],
    ['a token that is too short', `3f:${TOKEN.slice(1)}`],
    ['a connection that is not hexadecimal', `xyz:${TOKEN}`],
    ['an account without a name', `3f:${TOKEN}:HALC-101,`],
    ['something after the accounts', `3f:${TOKEN}:HALC-101:more`],
  ])('takes %s for none', (_, text) => {
    expect(parseCredential(text)).toBeUndefined();
  });
});
