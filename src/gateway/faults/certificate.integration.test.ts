import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openFault, PRIVATE, PUBLIC } from '#testing/fault/open-fault.ts';
import { expectProblem } from '#testing/fault/problems.ts';
import { makeSelfSigned } from '#testing/fault/self-signed.ts';

const trusted = getCACertificates('default');
const certificate = makeSelfSigned(Date.now());

afterEach(() => {
  vi.unstubAllEnvs();
  setDefaultCACertificates(trusted);
});

describe('a venue whose certificate nobody vouches for', () => {
  it.each([PUBLIC, PRIVATE])('is not asked %s: nothing reaches it, and a person is told', async (path) => {
    const fault = await openFault({ certificate });
    expectProblem(await fault.ask(path), { type: 'venue-unreachable', detail: /^The venue’s certificate cannot be trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\), so nothing was sent: check/ });
    expect({ requests: fault.venue.requests.length, pauses: fault.pauses }).toEqual({ requests: 0, pauses: [] });
    await expect.poll(fault.venue.openConnections).toBe(0);
  });

  it('is not asked whatever the environment says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const fault = await openFault({ certificate });
    expectProblem(await fault.ask(), { type: 'venue-unreachable', detail: /cannot be trusted/ });
    expect(fault.venue.requests).toHaveLength(0);
  });

  it('is asked once this machine trusts it: nothing else was wrong', async () => {
    setDefaultCACertificates([...trusted, certificate.cert]);
    const fault = await openFault({ certificate });
    expect((await fault.ask()).status).toBe(200);
    await fault.expectGood();
  });

  it('that speaks no TLS at all is out of reach', async () => {
    const fault = await openFault({ saysTls: true, limits: { connectMs: 1_500 } });
    const { status } = await fault.ask();
    expect({ status, requests: fault.venue.requests.length }).toEqual({ status: 504, requests: 0 });
  });
});
