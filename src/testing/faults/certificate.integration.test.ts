import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openFault, PRIVATE, PUBLIC } from './open-fault.ts';
import { expectProblem } from './problems.ts';
import { makeSelfSigned } from './self-signed.ts';

const trusted = getCACertificates('default');
const certificate = makeSelfSigned(Date.now());

afterEach(() => {
  vi.unstubAllEnvs();
  setDefaultCACertificates(trusted);
});

describe('an exchange with an untrusted certificate', () => {
  it.each([PUBLIC, PRIVATE])('receives no request for %s, and the problem explains why', async (path) => {
    const fault = await openFault({ certificate });
    expectProblem(await fault.send(path), {
      type: 'venue-unreachable',
      detail:
        /^The exchange’s certificate is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\), so no request was sent: check/,
    });
    expect({ requests: fault.venue.requests.length, pauses: fault.pauses }).toEqual({ requests: 0, pauses: [] });
    await expect.poll(fault.venue.openConnections).toBe(0);
  });

  it('receives no request whatever the environment says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const fault = await openFault({ certificate });
    expectProblem(await fault.send(), { type: 'venue-unreachable', detail: /is not trusted/ });
    expect(fault.venue.requests).toHaveLength(0);
  });

  it('is read once this machine trusts it', async () => {
    setDefaultCACertificates([...trusted, certificate.cert]);
    const fault = await openFault({ certificate });
    expect((await fault.send()).status).toBe(200);
    await fault.expectRecovered();
  });

  it('without TLS is unreachable', async () => {
    const fault = await openFault({ claimsTls: true, limits: { connectMs: 1_500 } });
    const { status } = await fault.send();
    expect({ status, requests: fault.venue.requests.length }).toEqual({ status: 504, requests: 0 });
  });
});
