import { join } from 'node:path';
import { serverNodeFlags } from '../../../src/cli/node-flags.mjs';
import { serverEnvironment } from '../lib/gateway-environment.ts';
import { startProgram, type Program } from '../lib/program.ts';
import { artifacts } from '../lib/report.ts';

/**
 * Starts Perpdesk in front of an exchange, without a budget: reading so many pages would otherwise take an hour and a
 * half.
 */
export function startDesk(venue: URL, core: number): Promise<Program> {
  return startProgram({
    args: [...serverNodeFlags, join('src', 'server', 'main', 'main.ts')],
    ready: /ready at (http:\S+)/,
    core,
    environment: serverEnvironment(venue.href.replace(/\/$/, ''), join(artifacts, 'history')),
  });
}
