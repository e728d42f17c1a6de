import { SETTING_GROUPS, SETTINGS } from '#contract/settings.ts';

const INTRODUCTION = `# Configuration

Perpdesk is configured by variables of its environment. \`DESK_CONFIG\` may name a file that sets more of them, a line each,
\`NAME=value\` or \`NAME='value'\`, with \`#\` before comments. The environment takes precedence over the file. An empty variable counts as
unset, even if the file sets it.

When Perpdesk starts, it reports all mistakes together, and it does not start until they are corrected. A name that begins
with \`DESK_\` but is not listed here is a mistake in the file, and a warning in the log if the environment contains it.

A setting marked ● holds a key or a password. Instead of the setting itself, the one with \`_FILE\` after its name may name a
file that contains it and that only its owner can access. A configuration file that contains one must be as private. Where
neither is set, Perpdesk uses the credential of the same name that systemd provides with \`LoadCredential=\`. Keys and passwords
are never options of a command, which other users could read.

While Perpdesk runs, it follows changes of these files within seconds, and at once on \`SIGHUP\` (unless it runs in a terminal, where that
signal ends it): a new token signs the next request, and the next call goes to the new webhook or mail server.
If a file has a mistake, Perpdesk logs it and keeps the previous values. All other settings, \`DESK_CONNECTION_ID\` and \`DESK_DATABASE_URL\` among them, take effect at the next start.
`;

/** docs/configuration.md. */
export function writeConfigurationReference(): string {
  return [INTRODUCTION, ...SETTING_GROUPS.map(describeGroup)].join('\n');
}

function describeGroup(group: (typeof SETTING_GROUPS)[number]): string {
  const rows = SETTINGS.filter((setting) => setting.group === group).map((setting) => `| \`${setting.name}\`${'isSecret' in setting ? ' ●' : ''} | ${setting.meaning} | ${setting.unset} |`);
  return [`## ${group}`, '', '| Setting | | Default |', '|---|---|---|', ...rows, ''].join('\n');
}
