// The whole product in one process. Everything it is made of is put together here and nowhere else.
import { join } from 'node:path';
import { readAppFiles } from '#gateway/app-files.ts';
import { readDeskSettings } from '#gateway/desk-settings.ts';
import { createDesk } from '#gateway/desk.ts';
import type { Desk } from '#gateway/desk.ts';
import { listenProblem } from '#gateway/listen-problem.ts';
import { nodeVersionProblem } from '#gateway/node-version.ts';
import { guardHost } from '#gateway/served-hosts.ts';
import { createStaticFiles } from '#gateway/static-files.ts';

const builtApp = join(import.meta.dirname, '..', 'dist');

/** Starts everything; what keeps it from starting comes back as sentences. */
async function serve(): Promise<readonly string[]> {
  const tooOld = nodeVersionProblem(process.versions.node);
  if (tooOld !== undefined) return [tooOld];
  const { settings, problems } = readDeskSettings(process.env);
  if (problems !== null) return problems;
  const files = readAppFiles(builtApp);
  if (files === undefined) return ['The app is not built: "npm start" builds it, and so does "npm run build".'];

  const desk = createDesk({ ...settings, handle: guardHost(createStaticFiles(files)), report: console.error });
  try {
    const address = await desk.listen();
    closeOnSignals(desk);
    console.log(`perpdesk: ready at ${address}`);
    return [];
  } catch (error) {
    return [listenProblem(error, settings)];
  }
}

/** The process ends by itself once nothing is open any more. */
function closeOnSignals(desk: Desk): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void desk.close());
}

const problems = await serve();
for (const problem of problems) console.error(`perpdesk: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
