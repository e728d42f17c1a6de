import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { readAppFiles } from './app-files.ts';
import { closeOnSignals } from './closing.ts';
import { createGateway, type GatewayConfig } from './create-gateway.ts';
import { readDeskSettings, type DeskSettings } from './desk-settings.ts';
import { reportCrashes } from './crash-report.ts';
import { createDesk } from './desk.ts';
import { readGatewaySettings, type GatewaySettings } from './gateway-settings.ts';
import type { Handler } from './handler.ts';
import { listenProblem } from './listen-problem.ts';
import { nodeVersionProblem } from './node-version.ts';
import { createRealPorts } from './real-ports.ts';
import { refuse } from './refusal.ts';
import { guardHost } from './served-hosts.ts';
import { createStaticFiles } from './static-files.ts';
import { withStrictTransport } from './strict-transport.ts';
import { withApp } from './with-app.ts';
import { withoutTokens } from './without-tokens.ts';

const builtApp = join(import.meta.dirname, '..', '..', 'dist');

export interface Settings {
  readonly desk: DeskSettings;
  readonly gateway: GatewaySettings;
}

export type SettingsOrProblems = { readonly settings: Settings; readonly problems: null } | { readonly settings: null; readonly problems: readonly string[] };

/**
 * The settings, or everything that keeps the desk from starting with them, a sentence each. The token is taken out of the
 * environment, which diagnostic reports print and child processes inherit.
 */
export function readSettings(environment: Record<string, string | undefined>): SettingsOrProblems {
  const tooOld = nodeVersionProblem(process.versions.node);
  if (tooOld !== undefined) return { settings: null, problems: [tooOld] };
  const desk = readDeskSettings(environment);
  const gateway = readGatewaySettings(environment, (path) => readFileSync(path, 'utf8'));
  delete environment['DESK_AUTH_TOKEN'];
  if (desk.problems === null && gateway.problems === null) return { settings: { desk: desk.settings, gateway: gateway.settings }, problems: null };
  return { settings: null, problems: [...(desk.problems ?? []), ...(gateway.problems ?? [])].map(withoutTokens) };
}

export interface FoundVenue extends Pick<GatewayConfig, 'profile' | 'credential' | 'venueId'> {
  readonly close: () => Promise<void>;
}

/**
 * Opens the desk: first the port, so that one that is taken is told at once, then the venue and the gateway before it.
 * What keeps it from opening comes back as a sentence.
 */
export async function openDesk({ desk: settings, gateway: chosen }: Settings, findVenue: () => Promise<FoundVenue>): Promise<string | null> {
  const files = readAppFiles(builtApp);
  if (files === undefined) return 'The app is not built: "npm start" builds it, and so does "npm run build".';
  const ports = createRealPorts(chosen.logLevel);
  // A log that nobody reads any more, or whose disk is full, is no reason to stop answering.
  process.stderr.on('error', () => undefined);
  reportCrashes({ on: process.on.bind(process), exit: process.exit.bind(process) }, ports.log);
  let handle: Handler = refuseWhileOpening;
  const desk = createDesk({
    ...settings,
    report: (error) => {
      ports.log('error', 'a request failed', { reason: String(error) });
    },
    handle: guardHost(withStrictTransport((request, response) => handle(request, response))),
  });
  const { parts, close, isClosing } = closeOnSignals({ on: process.on.bind(process) }, desk.close);
  let address;
  try {
    address = await desk.listen();
  } catch (error) {
    return listenProblem(error, settings);
  }
  try {
    const venue = await findVenue();
    parts.push(venue.close);
    if (isClosing()) {
      await close();
      return null;
    }
    const gateway = createGateway({ ...chosen, ...venue }, ports);
    parts.splice(1, 0, gateway.close);
    handle = withApp(gateway, createStaticFiles(files));
    gateway.start();
    console.log(`perpdesk: ready at ${address}`);
    return null;
  } catch (error) {
    await close();
    return error instanceof Error ? error.message : String(error);
  }
}

function refuseWhileOpening(_request: IncomingMessage, response: ServerResponse): undefined {
  refuse(response, 503, 'The desk is opening.', { 'retry-after': '1' });
}
