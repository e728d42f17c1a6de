import { commands } from './commands.mjs';

/** Longer beginnings of lines would leave no room for what follows. */
const COLUMN = 17;

/** @param {string} version */
export function describeUsage(version) {
  const lines = Object.entries(commands).map(([name, { summary, parameters }]) => {
    const line = `  ${name.padEnd(COLUMN)}${summary}`;
    return parameters === undefined ? line : `${line}\n  ${''.padEnd(COLUMN)}perpdesk ${name} ${parameters}`;
  });
  return `Perpdesk ${version}

Usage: perpdesk [COMMAND] [OPTIONS]

Without a command, perpdesk runs serve.

${lines.join('\n')}

  --help, --version

Settings are environment variables, or are in the file that DESK_CONFIG names. docs/configuration.md lists them.`;
}
