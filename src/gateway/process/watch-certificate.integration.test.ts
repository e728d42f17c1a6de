import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeSelfSigned } from '#testing/fault/self-signed.ts';
import { createRealPorts } from './real-ports.ts';
import { openSettingsFiles } from './settings-files.ts';
import { watchCertificate } from './watch-certificate.ts';

it('a certificate is used once it and its key have changed; until they belong together, the log says what is wrong', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-certificate-'));
  const paths = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const [first, second] = [makeSelfSigned(Date.now()), makeSelfSigned(Date.now())];
  writeFileSync(paths.cert, first.cert);
  writeFileSync(paths.key, first.key, { mode: 0o600 });
  const used: string[] = [];
  const logged: string[] = [];
  const { schedule } = createRealPorts('error');
  const end = watchCertificate(paths, openSettingsFiles({}), ({ cert }) => used.push(cert), { schedule, log: (level, event) => logged.push(`${level} ${event}`) });
  onTestFinished(async () => {
    await end();
    rmSync(folder, { recursive: true });
  });
  writeFileSync(paths.cert, second.cert);
  await expect.poll(() => logged).toEqual(['error certificate not loaded']);
  expect(used).toEqual([]);
  writeFileSync(paths.key, second.key);
  await expect.poll(() => used).toEqual([second.cert]);
  expect(logged.at(-1)).toBe('info certificate loaded');
});
