import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { sendRequest } from '#testing/http-client.ts';
import { buildApp } from '#testing/build-app.ts';
import { clearedSettings } from '#testing/cleared-settings.ts';

const NOBODY = 'http://127.0.0.1:1';

beforeAll(buildApp);

test('a server whose log cannot be written keeps responding', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-full-log-'));
  const full = openSync('/dev/full', 'w');
  const settings = {
    DESK_VENUE: 'bitnomial',
    DESK_VENUE_URL: NOBODY,
    DESK_PORT: '0',
    DESK_LOG_LEVEL: 'debug',
    DESK_DATA_DIR: dataDir,
  };
  const desk = spawn(process.execPath, [join(import.meta.dirname, '..', '..', 'main', 'main.ts')], {
    env: { ...process.env, ...clearedSettings(), ...settings },
    stdio: ['ignore', 'pipe', full],
  });
  const exit = once(desk, 'exit');
  onTestFinished(async () => {
    desk.kill('SIGKILL');
    await exit;
    closeSync(full);
    rmSync(dataDir, { recursive: true });
  });
  const [line] = (await once(createInterface(desk.stdout ?? expect.fail('It says nothing.')), 'line')) as [string];
  const address = /ready at (\S+)/.exec(line)?.[1] ?? expect.fail(line);
  // Each request writes a line to the log.
  for (let count = 0; count < 5; count++) expect((await sendRequest(address, { path: '/healthz' })).status).toBe(200);
});
