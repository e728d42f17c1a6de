import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VENUES } from '#contract/exchange/addresses.ts';
import { createDeskServer } from '#server/main/create-server.ts';
import { createFront } from '#server/web/arrival.ts';
import { createHttpServer } from '#server/web/server.ts';
import { createRealPorts } from '#server/ops/process/real-ports.ts';
import { openVenue } from '#venue/open-venue.ts';
import { realPorts } from '#venue/real-ports.ts';
import { readVenueSettings } from '#venue/venue-settings.ts';
import { CREDENTIAL } from '#venue/conformance/run-conformance.ts';
import { RECORDED_AT } from './recorded-at.ts';

/** A server in front of the reference exchange. Their clocks stand still, so that responses are always the same. */
export interface RecordedDesk {
  readonly address: string;
  readonly close: () => Promise<void>;
}

const EXCHANGE = [
  '--port',
  '0',
  '--seed',
  '7',
  '--orders',
  '3000',
  '--working',
  '400',
  '--history-days',
  '730',
  '--budget',
  '0',
  '--live',
  'off',
  '--store',
  ':memory:',
];

export async function openRecordedDesk(): Promise<RecordedDesk> {
  const now = (): number => RECORDED_AT;
  const { settings } = readVenueSettings([...EXCHANGE, '--clock', new Date(RECORDED_AT).toISOString()], {
    VENUE_CREDENTIAL: `${CREDENTIAL.connectionId}:${CREDENTIAL.token}`,
  });
  const profile = VENUES['sandbox'];
  if (settings === null || profile === undefined) throw new Error('The exchange rejects its options.');
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-recorded-'));
  writeFileSync(join(folder, 'link-key'), `${'5a'.repeat(32)}\n`, { mode: 0o600 });
  const venue = await openVenue(settings, join(folder, 'credential'), {
    ...realPorts,
    wall: now,
    elapsed: () => 0,
    randomHex: (bytes) => '5a'.repeat(bytes),
  });
  const desk = await createDeskServer(
    {
      profile: { ...profile, baseUrl: venue.address },
      credential: CREDENTIAL,
      budget: null,
      dataDir: folder,
      databaseUrl: null,
      venueId: 'the reference exchange',
    },
    { ...createRealPorts('error'), now, elapsed: now },
  );
  const server = createHttpServer({
    host: '127.0.0.1',
    port: 0,
    report: console.error,
    handle: createFront(desk.handle),
  });
  const address = await server.listen();
  desk.start();
  return {
    address,
    close: async () => {
      await desk.drain();
      await server.close();
      await desk.close();
      await venue.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
