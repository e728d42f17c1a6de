// The signing proxy as a program of its own, without the app: for a venue elsewhere.
import { readFileSync } from 'node:fs';
import { closeOnSignals } from './close-on-signals.ts';
import { createGateway } from './create-gateway.ts';
import { readDeskSettings } from './desk-settings.ts';
import { createDesk } from './desk.ts';
import { readGatewaySettings } from './gateway-settings.ts';
import { listenProblem } from './listen-problem.ts';
import { createRealPorts } from './real-ports.ts';
import { refuse } from './refusal.ts';
import { guardHost } from './served-hosts.ts';

/** Starts everything; what keeps it from starting comes back as sentences. */
async function serve(): Promise<readonly string[]> {
  const desk = readDeskSettings(process.env);
  const gateway = readGatewaySettings(process.env, (path) => readFileSync(path, 'utf8'));
  if (desk.problems !== null || gateway.problems !== null) return [...(desk.problems ?? []), ...(gateway.problems ?? [])];
  const { profile } = gateway.settings;
  const { baseUrl } = profile;
  if (baseUrl === null) return ['DESK_VENUE_URL is missing: alone, the gateway needs the address of a venue. "npm start" brings one with it.'];
  return open(desk.settings, { ...gateway.settings, profile: { ...profile, baseUrl } });
}

type DeskSettings = NonNullable<ReturnType<typeof readDeskSettings>['settings']>;
type GatewaySettings = NonNullable<ReturnType<typeof readGatewaySettings>['settings']>;

async function open(settings: DeskSettings, config: GatewaySettings & Parameters<typeof createGateway>[0]): Promise<readonly string[]> {
  const ports = createRealPorts(config.logLevel);
  const gateway = createGateway(config, ports);
  const desk = createDesk({
    ...settings,
    report: (error) => { ports.log('error', 'a request failed', { reason: String(error) }); },
    handle: guardHost((request, response) => {
      if (gateway.isOurs(request)) return gateway.handle(request, response);
      refuse(response, 404, 'Only the interface is served here, below /api.');
      return undefined;
    }),
  });
  try {
    const address = await desk.listen();
    closeOnSignals(desk.close, gateway.close);
    gateway.start();
    console.log(`gateway: ready at ${address}`);
    return [];
  } catch (error) {
    await gateway.close();
    return [listenProblem(error, settings)];
  }
}

const problems = await serve();
for (const problem of problems) console.error(`gateway: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
