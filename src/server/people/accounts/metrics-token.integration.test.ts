import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startScriptedProvider, CLIENT_ID, type ScriptedProvider } from '#testing/oidc/scripted-provider.ts';
import { newFolder, openProvidedDesk } from '#testing/proxy/open-provided-desk.ts';

const [FIRST, SECOND] = ['first-'.repeat(8), 'second-'.repeat(8)] as const;

let provider: ScriptedProvider;

beforeAll(async () => {
  provider = await startScriptedProvider();
});

afterAll(() => provider.close());

it(
  'opens the metrics and nothing else, also where a provider names the people; another one in its file takes effect while the desk runs',
  { timeout: 120_000 },
  async () => {
    const folder = newFolder();
    const file = join(folder, 'metrics-token');
    writeFileSync(file, `${FIRST}\n`, { mode: 0o600 });
    const desk = await openProvidedDesk(
      {
        DESK_ACCESS: 'oidc',
        DESK_PORT: '0',
        DESK_OIDC_ISSUER: provider.issuer,
        DESK_OIDC_CLIENT_ID: CLIENT_ID,
        DESK_METRICS_TOKEN_FILE: file,
      },
      folder,
    );
    const statusOf = async (path: string, headers: readonly string[]): Promise<number> =>
      (await desk.request(path, { headers })).status;
    const withToken = ['authorization', `Bearer ${FIRST}`];
    const metrics = await desk.request('/metrics', { headers: withToken });
    expect([metrics.status, metrics.body]).toEqual([
      200,
      expect.stringContaining('\nperpdesk_session_refreshes_total{outcome="confirmed"} 0\n'),
    ]);
    for (const path of [
      '/api/desk/people',
      '/api/desk/audit',
      '/api/desk/status',
      '/api/desk/working',
      '/api/desk/tokens',
      '/api/orders',
      '/metrics/',
      '/api/../metrics',
    ])
      expect([path, await statusOf(path, withToken)]).not.toEqual([path, 200]);
    expect(await statusOf('/api/desk/people', withToken)).toBe(401);
    for (const headers of [
      [],
      ['authorization', `Bearer ${FIRST}x`],
      ['authorization', FIRST],
      ['authorization', 'Bearer '],
      [...withToken, 'cookie', '__Host-perpdesk=x'],
    ])
      expect([headers, (await statusOf('/metrics', headers)) >= 400]).toEqual([headers, true]);
    writeFileSync(file, `${SECOND}\n`);
    await expect.poll(() => statusOf('/metrics', ['authorization', `Bearer ${SECOND}`]), { timeout: 20_000 }).toBe(200);
    expect(await statusOf('/metrics', withToken)).toBe(401);
  },
);
