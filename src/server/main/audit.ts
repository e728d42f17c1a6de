// Checks or exports the audit log.
import '#files/owner-only.ts';
import { parseArgs } from 'node:util';
import { describeUncleanStops, type ChainResult } from '#contract/desk/audit-chain.ts';
import { checkAudit, checkAuditFile, exportAudit, type AuditSource } from '#server/people/audit-commands.ts';
import { UsageError } from '#server/people/user-commands.ts';
import { callControl, isRunning } from '#server/ops/call-control.ts';
import { readDataDirOf } from '#server/ops/process/config-file.ts';
import { readSettings } from '#server/ops/process/settings.ts';
import { withAccess } from './with-access.ts';

async function run(args: readonly string[]): Promise<string> {
  const { positionals, values } = parse(args);
  const [command, file, surplus] = positionals;
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is unexpected.`);
  if (values.after !== undefined && command !== 'export') throw new UsageError('--after is for "export" only.');
  if (command === 'check') return describe(file === undefined ? await withLog(checkAudit) : await checkAuditFile(file));
  if (command !== 'export')
    throw new UsageError(command === undefined ? 'Name a command.' : `"${command}" is not a command.`);
  if (file === undefined) throw new UsageError('Name the file to write.');
  const after = values.after ?? '0';
  if (!/^\d{1,15}$/.test(after)) throw new UsageError('--after must be the number of an entry.');
  const { anchor, head } = await withLog((source) => exportAudit(source, file, Number(after)));
  return describeExport(file, Number(after), anchor.number, head.number);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { after: { type: 'string' } }, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Says what the file has, so that the next export can continue, and what it lacks. */
function describeExport(file: string, after: number, from: number, to: number): string {
  const dropped =
    after > 0 && from > after
      ? ` Entries ${String(after + 1)} to ${String(from)} are no longer kept, so they are not in the file.`
      : '';
  const which = from < to ? `, ${String(from + 1)} to ${String(to)},` : '';
  return `Wrote ${countEntries(to - from)}${which} to ${file}.${dropped}`;
}

/** Takes the log from a running Perpdesk on the data folder; if there is none, from the folder itself. */
async function withLog<Result>(work: (source: AuditSource) => Promise<Result>): Promise<Result> {
  const dataDir = readDataDirOf(process.env);
  if (!(await isRunning(dataDir))) return withAccess(readSettings(process.env), ({ commands }) => work(commands.audit));
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
      ? `${error.message} "perpdesk audit --help" explains all commands.`
      : `perpdesk: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
