import { afterEach, expect, test, vi } from 'vitest';
import { ask } from './ask.ts';
import { startDesk } from './start-desk.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a desk of the tests knows nothing of what the shell has set for another', async () => {
  vi.stubEnv('DESK_VENUE', 'bitnomial');
  vi.stubEnv('DESK_VENUE_ENV', 'elsewhere');
  vi.stubEnv('DESK_AUTH_TOKEN_FILE', '/no/such/file');
  const desk = await startDesk();
  try {
    expect((await ask(desk.api, { path: '/api/orders' })).status).toBe(200);
  } finally {
    await desk.stop();
  }
});
