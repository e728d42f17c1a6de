import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, type Page } from '@playwright/test';
import type { DeskStatus } from '#contract/desk/status.ts';
import { makeSelfSigned } from '#testing/faults/self-signed.ts';
import { startDesk } from '#testing/start-desk.ts';
import { test as watched } from './watched-page.ts';

interface TlsDesk {
  readonly address: string;
  readonly writeCertificate: () => string;
}

/** A server with its own certificate, in files that change. */
const test = watched.extend<{ readonly desk: TlsDesk }>({
  desk: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'perpdesk-tls-'));
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const writeCertificate = (): string => {
      const { cert, key } = makeSelfSigned(Date.now());
      writeFileSync(certFile, cert);
      writeFileSync(keyFile, key);
      chmodSync(keyFile, 0o600);
      return cert;
    };
    writeCertificate();
    const desk = await startDesk({
      venue: ['--history-days', '40', '--orders', '200', '--working', '50'],
      server: { DESK_TLS_CERT: certFile, DESK_TLS_KEY: keyFile },
    });
    await use({ address: desk.server.address, writeCertificate });
    await desk.stop();
    rmSync(folder, { recursive: true, force: true });
  },
  baseURL: async ({ desk }, use) => {
    await use(desk.address);
  },
});

// The certificate of the tests is not trusted by any authority.
test.use({ ignoreHTTPSErrors: true });

/** Returns the certificate that a new connection gets. */
function readCertificate(address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(
      { host: '127.0.0.1', port: Number(new URL(address).port), rejectUnauthorized: false },
      () => {
        resolve(socket.getPeerX509Certificate()?.toString() ?? '');
        socket.destroy();
      },
    );
    socket.once('error', reject);
  });
}

const countStreams = (page: Page): Promise<number> =>
  page.evaluate(async () => ((await (await fetch('/api/desk/status')).json()) as DeskStatus).live.streams);

test('over TLS pages come by HTTP/2 and go on live, also while the certificate changes', async ({ page, desk }) => {
  expect(desk.address).toMatch(/^https:/);
  await page.goto('/orders');
  await expect(page.getByRole('grid', { name: 'Working orders' }).getByRole('row').nth(5)).toBeVisible();
  const protocols = await page.evaluate(() =>
    performance.getEntries().flatMap((entry) => ('nextHopProtocol' in entry ? [entry.nextHopProtocol] : [])),
  );
  expect(new Set(protocols.filter((protocol) => protocol !== ''))).toEqual(new Set(['h2']));
  await expect.poll(() => countStreams(page)).toBeGreaterThan(0);
  const next = desk.writeCertificate();
  await expect
    .poll(async () => (await readCertificate(desk.address)).replace(/\s/g, ''), { timeout: 20_000 })
    .toBe(next.replace(/\s/g, ''));
  await page.getByRole('link', { name: 'Markets' }).first().click();
  await expect(page.getByRole('gridcell').nth(5)).toBeVisible();
});
