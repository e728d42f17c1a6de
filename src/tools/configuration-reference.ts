import { SETTING_GROUPS, SETTINGS } from '#contract/desk/settings.ts';

const INTRODUCTION = `# Configuration

Environment variables configure Perpdesk. \`DESK_CONFIG\` or \`perpdesk --config FILE\` can name a file that sets more of them, one
per line: \`NAME=value\` or \`NAME='value'\`, with \`#\` on lines of their own before comments. The environment takes precedence over
the file. An empty variable counts as unset, even if the file sets it.

One file can serve both a systemd unit, with \`EnvironmentFile=\`, and the commands of an administrator:

\`\`\`
sudo -u perpdesk perpdesk --config /etc/perpdesk/perpdesk.env user list
\`\`\`

It may also set \`NODE_EXTRA_CA_CERTS\` and \`NODE_USE_SYSTEM_CA\` of Node.js: \`perpdesk\` passes them on. It should set
\`DESK_DATA_DIR\`, because commands find a running Perpdesk by its data folder. It must belong to root or to the user of Perpdesk, and
no other user may write to it.

If there are mistakes, Perpdesk reports all of them together and does not start. In the file, any other name that is not a setting is
a mistake; in the environment, one that begins with \`DESK_\` causes a warning in the log.

A setting marked ● is secret: it contains a key or a password. Instead of the setting itself, you can set its name followed by
\`_FILE\` to the path of a file that contains the value. Only the owner of that file may have access to it. The same is true of a
configuration file that contains a secret. If neither is set, Perpdesk uses the systemd credential of the same name
(\`LoadCredential=\`). Secrets are never options of a command, because other users could read them.

Changes to these files take effect while Perpdesk runs: within seconds, or at once on \`SIGHUP\` (in a terminal, that signal stops
Perpdesk). A new \`DESK_AUTH_TOKEN\` then signs the next request, the next notification goes to the new webhooks, mail
server and recipients, and the new \`DESK_METRICS_TOKEN\` is valid. If a file has a mistake, Perpdesk logs it and keeps the
previous values. All other settings, including \`DESK_CONNECTION_ID\` and \`DESK_DATABASE_URL\`, take effect at the next start.
`;

/** Generates docs/configuration.md. */
export function writeConfigurationReference(): string {
  return [INTRODUCTION, ...SETTING_GROUPS.map(describeGroup)].join('\n');
}

function describeGroup(group: (typeof SETTING_GROUPS)[number]): string {
  const rows = SETTINGS.filter((setting) => setting.group === group).map(
    (setting) => `| \`${setting.name}\`${'isSecret' in setting ? ' ●' : ''} | ${setting.meaning} | ${setting.unset} |`,
  );
  return [`## ${group}`, '', '| Setting | Meaning | Default |', '|---|---|---|', ...rows, ''].join('\n');
}
