// Adds, changes and removes people who may sign in.
import { UsageError } from './access/commands/usage-error.ts';
import { USER_USAGE } from './access/commands/user-commands.ts';
import { readSettings } from './process/settings.ts';
import { baseUrlOf, withAccess } from './with-access.ts';

async function run(): Promise<void> {
  const { settings, problems } = readSettings(process.env);
  if (problems !== null) throw new Error(problems.join('\n'));
  const lines = await withAccess(settings, ({ commands }) => commands.user(baseUrlOf(settings))(process.argv.slice(2)));
  for (const line of lines) console.log(line);
}

try {
  await run();
} catch (error) {
  console.error(error instanceof UsageError ? `${error.message}\n\n${USER_USAGE}` : `perpdesk: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
