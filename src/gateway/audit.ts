// Checks or exports the log of what people did.
import { AUDIT_USAGE, checkAudit, checkAuditFile, exportAudit } from './access/commands/audit-commands.ts';
import { UsageError } from './access/commands/usage-error.ts';
import type { ChainResult } from './access/audit/check-chain.ts';
import type { AccessRoom } from './access/open-access-room.ts';
import { readSettings } from './process/settings.ts';
import { withAccess } from './with-access.ts';

async function run([command, file, surplus]: readonly string[]): Promise<string> {
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is one word too many.`);
  if (command === 'check') return describe(file === undefined ? await withStore(({ commands }) => checkAudit(commands.audit)) : await checkAuditFile(file));
  if (command !== 'export') throw new UsageError(command === undefined ? 'A command is missing.' : `"${command}" is not a command.`);
  if (file === undefined) throw new UsageError('The name of the file is missing.');
  const count = await withStore(({ commands }) => exportAudit(commands.audit, file));
  return `${file} has ${String(count)} entries.`;
}

async function withStore<Result>(work: (room: AccessRoom) => Promise<Result>): Promise<Result> {
  const { settings, problems } = readSettings(process.env);
  if (problems !== null) throw new Error(problems.join('\n'));
  return withAccess(settings, work);
}

function describe({ checked, problem }: ChainResult): string {
  if (problem !== null) throw new Error(`${problem} ${String(checked)} entries before it are as they were written.`);
  return `${String(checked)} entries are as they were written, and none is missing.`;
}

try {
  console.log(await run(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof UsageError ? `${error.message}\n\n${AUDIT_USAGE}` : `perpdesk: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
