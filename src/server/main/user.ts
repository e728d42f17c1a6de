// Adds, changes and removes people who may sign in, whether Perpdesk is running or not.
import '#files/owner-only.ts';
import { UsageError } from '#server/people/user-commands.ts';
import { callControl } from '#server/ops/call-control.ts';
import { readDataDirOf } from '#server/ops/process/config-file.ts';
import { readSettings } from '#server/ops/process/settings.ts';
import { describeCaller } from './describe-caller.ts';
import { baseUrlOf, withAccess } from './with-access.ts';

const NOT_RUNNING = 'Perpdesk is not running: the address in this link is from the settings of this command.';

async function run(args: readonly string[]): Promise<readonly string[]> {
  const by = describeCaller(process.env);
  const result = await callControl(readDataDirOf(process.env), 'manage-people', { args, by });
  if (result === undefined)
    return withAccess(readSettings(process.env), ({ commands }, settings) =>
      commands.user({ base: baseUrlOf(settings), note: NOT_RUNNING, by })(args),
    );
  if ('mistake' in result) throw new UsageError(result.mistake);
  return result.lines;
}

try {
  for (const line of await run(process.argv.slice(2))) console.log(line);
} catch (error) {
  console.error(
    error instanceof UsageError
      ? `${error.message} "perpdesk user --help" explains all commands.`
      : `perpdesk: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
