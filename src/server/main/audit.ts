// Checks or exports the audit log.
import '#files/owner-only.ts';
import { describeUncleanStops, type ChainResult } from '#contract/desk/audit-chain.ts';
import {
  AUDIT_USAGE,
  checkAudit,
  checkAuditFile,
  exportAudit,
  type AuditSource,
} from '#server/people/audit-commands.ts';
import { UsageError } from '#server/people/user-commands.ts';
import { callControl, isRunning } from '#server/ops/call-control.ts';
import { readSettings } from '#server/ops/process/settings.ts';
import { withAccess } from './with-access.ts';

async function run([command, file, surplus]: readonly string[]): Promise<string> {
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is unexpected.`);
  if (command === 'check') return describe(file === undefined ? await withLog(checkAudit) : await checkAuditFile(file));
  if (command !== 'export')
    throw new UsageError(command === undefined ? 'Name a command.' : `"${command}" is not a command.`);
  if (file === undefined) throw new UsageError('Name the file to write.');
  const count = await withLog((source) => exportAudit(source, file));
  return `Wrote ${countEntries(count)} to ${file}.`;
}

/** Takes the log from a running Perpdesk on the data folder; if there is none, from the folder itself. */
async function withLog<Result>(work: (source: AuditSource) => Promise<Result>): Promise<Result> {
  const { settings, problems } = readSettings(process.env);
  if (problems !== null) throw new Error(problems.join('\n'));
  const { dataDir } = settings.server;
  if (!(await isRunning(dataDir))) return withAccess(settings, ({ commands }) => work(commands.audit));
  const orStopped = <Found>(found: Found | undefined): Found => {
    if (found === undefined) throw new Error('Perpdesk stopped while the command was running. Run it again.');
    return found;
  };
  return work({
    ends: async () => orStopped(await callControl(dataDir, 'audit-ends')),
    after: async (number, limit) => orStopped(await callControl(dataDir, 'audit-after', { number, limit })),
  });
}

function describe({ checked, problem, uncleanStops }: ChainResult): string {
  if (problem !== null)
    throw new Error(`${problem} Before that, ${countEntries(checked)} ${checked === 1 ? 'is' : 'are'} unchanged.`);
  const stops = describeUncleanStops(uncleanStops);
  return (
    `The audit log is intact: ${countEntries(checked)}, none changed or ` +
    `missing.${stops === null ? '' : ` ${stops}`}`
  );
}

function countEntries(count: number): string {
  return `${String(count)} ${count === 1 ? 'entry' : 'entries'}`;
}

try {
  console.log(await run(process.argv.slice(2)));
} catch (error) {
  console.error(
    error instanceof UsageError
      ? `${error.message}\n\n${AUDIT_USAGE}`
      : `perpdesk: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
