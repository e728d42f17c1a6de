import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeSelfSigned } from '#testing/faults/self-signed.ts';
import type { Certificate } from '#server/core/tls-context.ts';
import { createRealPorts } from './real-ports.ts';
import { openSettingsFiles } from './config-file.ts';
import { watchCertificate } from './tls-files.ts';

/** Watches a certificate and key in files, and records which were used and what was logged. */
function watch({ cert, key }: Certificate) {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-certificate-'));
  const paths = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  writeFileSync(paths.cert, cert);
  writeFileSync(paths.key, key, { mode: 0o600 });
  const used: string[] = [];
  const logged: unknown[] = [];
  const { schedule } = createRealPorts('error');
  const end = watchCertificate(paths, openSettingsFiles({}), (pair) => used.push(pair.cert), {
    schedule,
    log: (level, event, fields) => logged.push([`${level} ${event}`, fields]),
  });
  onTestFinished(async () => {
    await end();
    rmSync(folder, { recursive: true });
  });
  return { paths, used, logged };
}

it('a certificate is used once it and its key have changed; until they belong together, the log says what is wrong', async () => {
  const [first, second] = [makeSelfSigned(Date.now()), makeSelfSigned(Date.now())];
  const { paths, used, logged } = watch(first);
  writeFileSync(paths.cert, second.cert);
  await expect
    .poll(() => logged)
    .toEqual([
      [
        'error certificate not loaded',
        { reason: expect.stringContaining('which is not the key of the certificate') as string },
      ],
    ]);
  expect(used).toEqual([]);
  writeFileSync(paths.key, second.key);
  await expect.poll(() => used).toEqual([second.cert]);
  expect(logged.at(-1)).toEqual(['info certificate loaded', { file: paths.cert }]);
});

it('a certificate whose chain is cut off is not used', async () => {
  const pair = makeSelfSigned(Date.now());
  const { paths, used, logged } = watch(pair);
  writeFileSync(paths.cert, pair.cert + pair.cert.slice(0, -40));
  await expect
    .poll(() => logged)
    .toEqual([
      [
        'error certificate not loaded',
        {
          reason: expect.stringMatching(
            /which OpenSSL rejects: .*bad end line\. The previous certificate remains in use\.$/,
          ) as string,
        },
      ],
    ]);
  expect(used).toEqual([]);
});
