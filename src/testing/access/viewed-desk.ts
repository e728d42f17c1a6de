import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withIncluded, type Role } from '#contract/roles.ts';
import { VENUES } from '#contract/venues.ts';
import { createGateway } from '#gateway/create-gateway.ts';
import type { GatewayPorts } from '#gateway/ports.ts';
import { createRealPorts } from '#gateway/process/real-ports.ts';
import type { Scope, Viewer } from '#gateway/viewer.ts';
import { CREDENTIAL } from '../conformance/run-conformance.ts';

/** Names who sends a request to a desk of these tests. */
export const VIEWER_HEADER = 'test-viewer';

export interface ViewedDesk {
  readonly url: string;
  readonly end: (viewer: string) => void;
  readonly close: () => Promise<void>;
}

type Ports = Partial<GatewayPorts>;

/** The gateway over real sockets, for several viewers: which of them sends a request is in its header. */
export async function openViewedDesk(venueUrl: string, viewers: Readonly<Record<string, Viewer>>, ports: Ports = {}): Promise<ViewedDesk> {
  const profile = VENUES['sandbox'];
  if (profile === undefined) throw new Error('The sandbox has no profile.');
  const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-'));
  // The same for every desk of these tests, so that aliases and cursors can be compared.
  writeFileSync(join(dataDir, 'link-key'), `${'5a'.repeat(32)}\n`, { mode: 0o600 });
  const current = new Map(Object.entries(viewers));
  const ends = new Map([...current.keys()].map((name) => [name, new AbortController()]));
  const gateway = await createGateway(
    {
      ...{ profile: { ...profile, baseUrl: venueUrl }, credential: CREDENTIAL, budget: null, dataDir, databaseUrl: null, venueId: 'an exchange' },
      identify: ({ headers }) => {
        const name = String(headers[VIEWER_HEADER]);
        const viewer = current.get(name);
        if (viewer === undefined) return { type: 'not-signed-in', detail: 'There is no such viewer.' };
        return { ...viewer, ended: ends.get(name)?.signal ?? viewer.ended };
      },
    },
    { ...createRealPorts('error'), ...ports },
  );
  const server = createServer((request, response) => {
    void gateway.handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  gateway.start();
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    end: (name) => {
      current.delete(name);
      ends.get(name)?.abort();
    },
    close: async () => {
      gateway.endStreams();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await gateway.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export interface Codes {
  readonly accounts?: readonly string[];
  readonly firms?: readonly string[];
  readonly connections?: readonly string[];
}

export function toScope({ accounts = [], firms = [], connections = [] }: Codes): Scope {
  return { accounts: new Set(accounts), firms: new Set(firms), connections: new Set(connections) };
}

export function toViewer(name: string, roles: readonly Role[], scope: Scope): Viewer {
  return { id: randomUUID(), name, roles: withIncluded(roles), scope, person: name, entitlement: `${roles.join()} ${name}`, ended: new AbortController().signal };
}

export const NOBODY: Viewer = { id: '', name: '', roles: new Set(), scope: toScope({}), person: '', entitlement: '', ended: new AbortController().signal };
