import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { sendRequest } from './http-client.ts';
import { startDesk, startDeskBefore } from './start-desk.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a desk started by a test ignores the settings of the shell', async () => {
  vi.stubEnv('DESK_VENUE', 'bitnomial');
  vi.stubEnv('DESK_VENUE_ENV', 'elsewhere');
  vi.stubEnv('DESK_AUTH_TOKEN_FILE', '/no/such/file');
  const desk = await startDesk();
  try {
    expect((await sendRequest(desk.api, { path: '/api/orders' })).status).toBe(200);
  } finally {
    await desk.stop();
  }
});

test('a venue whose desk does not start is stopped at once, and leaves no folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-'));
  vi.stubEnv('TMPDIR', folder);
  const stop = vi.fn(() => Promise.resolve());
  try {
    await expect(
      startDeskBefore({ address: 'http://127.0.0.1:1/', stop }, { DESK_BUDGET: 'none at all' }),
    ).rejects.toThrow(/before it was ready/);
    expect(stop).toHaveBeenCalledOnce();
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
