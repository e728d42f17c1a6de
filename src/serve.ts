// The whole product in one process. Everything it is made of is put together here and nowhere else.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAppFiles } from '#gateway/app-files.ts';
import { closeOnSignals } from '#gateway/close-on-signals.ts';
import { createGateway } from '#gateway/create-gateway.ts';
import { readDeskSettings } from '#gateway/desk-settings.ts';
import { createDesk } from '#gateway/desk.ts';
import { readGatewaySettings, type GatewaySettings } from '#gateway/gateway-settings.ts';
import { listenProblem } from '#gateway/listen-problem.ts';
import { nodeVersionProblem } from '#gateway/node-version.ts';
import { createRealPorts } from '#gateway/real-ports.ts';
import { guardHost } from '#gateway/served-hosts.ts';
import { createStaticFiles } from '#gateway/static-files.ts';
import { openVenue } from '#venue/open-venue.ts';
import { realPorts } from '#venue/real-ports.ts';
import { readVenueSettings } from '#venue/venue-settings.ts';

const builtApp = join(import.meta.dirname, '..', 'dist');

/** Starts everything; what keeps it from starting comes back as sentences. */
async function serve(): Promise<readonly string[]> {
  const tooOld = nodeVersionProblem(process.versions.node);
  if (tooOld !== undefined) return [tooOld];
  const desk = readDeskSettings(process.env);
  const gateway = readGatewaySettings(process.env, (path) => readFileSync(path, 'utf8'));
  if (desk.problems !== null || gateway.problems !== null) return [...(desk.problems ?? []), ...(gateway.problems ?? [])];
  const files = readAppFiles(builtApp);
  if (files === undefined) return ['The app is not built: "npm start" builds it, and so does "npm run build".'];
  return open(desk.settings, gateway.settings, createStaticFiles(files));
}

type DeskSettings = NonNullable<ReturnType<typeof readDeskSettings>['settings']>;

async function open(settings: DeskSettings, chosen: GatewaySettings, app: ReturnType<typeof createStaticFiles>): Promise<readonly string[]> {
  const ports = createRealPorts(chosen.logLevel);
  const venue = await findVenue(chosen);
  const gateway = createGateway({ ...chosen, ...venue }, ports);
  const desk = createDesk({
    ...settings,
    report: (error) => {
      ports.log('error', 'a request failed', { reason: String(error) });
    },
    handle: guardHost((request, response) => (gateway.isOurs(request) ? gateway.handle(request, response) : app(request, response))),
  });
  try {
    const address = await desk.listen();
    closeOnSignals(desk.close, gateway.close, venue.close);
    gateway.start();
    console.log(`perpdesk: ready at ${address}`);
    return [];
  } catch (error) {
    await gateway.close();
    await venue.close();
    return [listenProblem(error, settings)];
  }
}

/** The venue that was chosen: elsewhere, or our own, opened here on any free port and reached like any other. */
async function findVenue({ profile, credential, dataDir }: GatewaySettings) {
  const { baseUrl } = profile;
  if (baseUrl !== null) return { profile: { ...profile, baseUrl }, credential, close: () => Promise.resolve() };
  const { settings } = readVenueSettings(['--port', '0', '--store', join(dataDir, 'venue.sqlite')]);
  if (settings === null) throw new Error('The exchange does not know the options it is given here.');
  const venue = await openVenue(settings, join(dataDir, 'venue-credential'), realPorts);
  return { profile: { ...profile, baseUrl: venue.address }, credential: venue.credential, close: venue.close };
}

const problems = await serve();
for (const problem of problems) console.error(`perpdesk: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
