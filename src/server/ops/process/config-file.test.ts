import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSettingsFiles, withConfigFile } from './config-file.ts';
import type { SecretFile } from './source.ts';

const OPEN: SecretFile = { problem: 'other users may access (mode 644): run chmod 600 on it' };

function read(text: string, environment: Readonly<Record<string, string>> = {}, secret: SecretFile = { text }) {
  return withConfigFile(
    { DESK_CONFIG: 'desk.env', ...environment },
    { readConfig: () => ({ text }), readSecret: () => secret },
  );
}

const problemsOf = (text: string, secret?: SecretFile) => read(text, {}, secret).problems;

describe('a file of settings', () => {
  it('is not needed', () => {
    const environment = { DESK_PORT: '9000' };
    expect(withConfigFile(environment, { readConfig: () => expect.fail(), readSecret: () => expect.fail() })).toEqual({
      environment,
      problems: [],
    });
  });

  it('sets what the environment leaves unset', () => {
    const text =
      '# the desk\n\nDESK_PORT=9000 # above 1024\r\nexport DESK_LOG_LEVEL = "debug"\n  DESK_DATA_DIR=\'/srv/a desk #1\'';
    const { environment, problems } = read(text, { DESK_PORT: '9001' });
    expect(problems).toEqual([]);
    expect(environment).toMatchObject({ DESK_PORT: '9001', DESK_LOG_LEVEL: 'debug', DESK_DATA_DIR: '/srv/a desk #1' });
  });

  it('is cleared by an empty variable, for a single command', () => {
    expect(
      read('DESK_DATABASE_URL_FILE=/etc/database', { DESK_DATABASE_URL_FILE: '' }).environment[
        'DESK_DATABASE_URL_FILE'
      ],
    ).toBe('');
  });

  it('may have values of several lines', () => {
    const { environment, problems } = read(
      `DESK_MAIL_TO='night=a@firm.example,\nrisk=b@firm.example'\nDESK_PORT=1\nDESK_HOST=::1`,
    );
    expect(problems).toEqual([]);
    expect(environment).toMatchObject({
      DESK_MAIL_TO: 'night=a@firm.example,\nrisk=b@firm.example',
      DESK_PORT: '1',
      DESK_HOST: '::1',
    });
  });

  it('may have lines for Node.js, so that it also serves a systemd unit', () => {
    expect(problemsOf('NODE_EXTRA_CA_CERTS=/etc/ssl/firm.pem\nDESK_PORT=1')).toEqual([]);
  });

  it('may hold secrets only where others may not access it', () => {
    expect(problemsOf('DESK_PORT=1\n', OPEN)).toEqual([]);
    expect(problemsOf('DESK_PORT=1\nDESK_AUTH_TOKEN=ab\n', OPEN)).toEqual([
      'DESK_CONFIG is "desk.env", which contains DESK_AUTH_TOKEN, but other users may access (mode 644): run chmod 600 on it.',
    ]);
    expect(read('DESK_AUTH_TOKEN=ab').environment['DESK_AUTH_TOKEN']).toBe('ab');
  });

  it('that cannot be read is a mistake', () => {
    expect(withConfigFile({ DESK_CONFIG: 'gone.env' }, openSettingsFiles({})).problems).toEqual([
      'DESK_CONFIG is "gone.env", which cannot be read.',
    ]);
  });

  it('is obeyed only if nobody else can change it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'perpdesk-config-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const path = join(folder, 'desk.env');
    writeFileSync(path, 'DESK_PORT=1\n');
    const environment = { DESK_CONFIG: path };
    const readFile = () => withConfigFile(environment, openSettingsFiles({}));
    expect(readFile()).toMatchObject({ environment: { DESK_PORT: '1' }, problems: [] });
    for (const mode of [0o620, 0o602]) {
      chmodSync(path, mode);
      expect(readFile()).toEqual({
        environment,
        problems: [
          `DESK_CONFIG is "${path}", which other users may write (mode ${mode.toString(8)}): run chmod go-w on it.`,
        ],
      });
    }
  });

  it.each([
    ['DESK_PROT=9000', ['sets DESK_PROT in line 1, which is not a setting']],
    ['NODE_OPTIONS=--import=x.mjs', ['sets NODE_OPTIONS in line 1, which is not a setting']],
    ['DESK_CONFIG=other.env', ['sets DESK_CONFIG in line 1, which is not a setting']],
    [
      'DESK_PORT=1\n\nDESK_PORT=2\nPORT=3',
      ['sets DESK_PORT again in line 3', 'sets PORT in line 4, which is not a setting'],
    ],
    ['DESK_PORT=1\nDESK_HOST ::1\n', ['is not understood from line 2']],
    ['DESK_HOST="::1', ['is not understood from line 1']],
    ["DESK_HOST='::1' x", ['is not understood from line 1']],
  ])('names each mistake with its line: %j', (text, parts) => {
    const problems = problemsOf(text);
    expect(problems).toHaveLength(parts.length);
    for (const [index, part] of parts.entries())
      expect(problems[index]).toContain(`DESK_CONFIG is "desk.env", which ${part}`);
  });
});
