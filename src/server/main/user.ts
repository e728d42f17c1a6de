// Adds, changes and removes people who may sign in, whether Perpdesk is running or not.
import '#files/owner-only.ts';
import { UsageError, USER_USAGE } from '#server/people/user-commands.ts';
import { callControl } from '#server/ops/call-control.ts';
import { readSettings } from '#server/ops/process/settings.ts';
import { baseUrlOf, withAccess } from './with-access.ts';

async function run(args: readonly string[]): Promise<readonly string[]> {
  const { settings, problems } = readSettings(process.env);
  if (problems !== null) throw new Error(problems.join('\n'));
  const baseUrl = baseUrlOf(settings);
  const result = await callControl(settings.server.dataDir, 'user', { args, baseUrl });
  if (result === undefined) return withAccess(settings, ({ commands }) => commands.user(baseUrl)(args));
  if ('mistake' in result) throw new UsageError(result.mistake);
  return result.lines;
}

try {
  for (const line of await run(process.argv.slice(2))) console.log(line);
} catch (error) {
  console.error(
    error instanceof UsageError
      ? `${error.message}\n\n${USER_USAGE}`
      : `perpdesk: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
