import { join } from 'node:path';
import { gatewayNodeFlags } from '../../../src/cli/node-flags.mjs';
import { gatewayEnvironment } from '../lib/gateway-environment.ts';
import { startProgram, type Program } from '../lib/program.ts';
import { artifacts } from '../lib/report.ts';

/** The gateway before an exchange, with no budget: a reader would need an hour and a half for so many pages. */
export function startDesk(venue: URL, core: number): Promise<Program> {
  return startProgram({
    args: [...gatewayNodeFlags, join('src', 'server', 'main', 'main.ts')],
    ready: /ready at (http:\S+)/,
    core,
    environment: gatewayEnvironment(venue.href.replace(/\/$/, ''), join(artifacts, 'history')),
  });
}
