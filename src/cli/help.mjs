import { commands } from './commands.mjs';

/** @typedef {keyof typeof commands} CommandName */

const SETTINGS = `Settings are environment variables, or are in the file of --config or DESK_CONFIG:
docs/configuration.md lists them. The data is in DESK_DATA_DIR; the default is .perpdesk in the current folder.`;

/**
 * What each command prints for --help. The first line is its usage.
 *
 * @type {Readonly<Record<CommandName, string>>}
 */
const texts = {
  'serve': `Usage: perpdesk [serve]

Starts Perpdesk and prints its address. Without settings, it serves the embedded exchange on port 8080 to this machine.
SIGTERM stops it; SIGHUP makes it read its secrets again.

${SETTINGS}

Example: DESK_PORT=9000 DESK_DATA_DIR=/srv/desk perpdesk`,

  'gateway': `Usage: perpdesk gateway

Starts Perpdesk like serve, for an exchange elsewhere, which DESK_VENUE or DESK_VENUE_URL names.

${SETTINGS}

Example: DESK_VENUE=bitnomial DESK_CONNECTION_ID=… DESK_AUTH_TOKEN_FILE=~/token perpdesk gateway`,

  'desks': `Usage: perpdesk desks [NUMBER]

Starts several desks on this machine, which share the database of DESK_DATABASE_URL, and in front of them a balancer on
DESK_PORT; the desks have the ports after it. The default is 3 desks. Without an exchange in the settings, they share
the embedded one. For a team, run each desk as a service, behind a real balancer: docs/scale.md.

${SETTINGS}

Example: DESK_DATABASE_URL=postgres://perpdesk@localhost/desk perpdesk desks 3`,

  'venue': `Usage: perpdesk venue [OPTION]…

Starts only the embedded exchange. Its data and its credential are in DESK_DATA_DIR; the default is .perpdesk in the
current folder.

  --port PORT                0 takes any free port; the default is 4010
  --store FILE               the database of the exchange, or :memory:
  --seed NUMBER              the market follows from the seed and the clock; the default is 7
  --orders NUMBER            closed orders generated for an empty store; the default is 20000
  --working NUMBER           working orders generated for an empty store; the default is 1200
  --history-days NUMBER      days of history generated for an empty store; the default is 730
  --credential-file FILE     CONNECTION:TOKEN[:ACCOUNT,…], separated by white space; only its owner may access it
  --budget REQUESTS/SECONDS  per client address; 0 is no limit; the default is 200/300
  --live on|off              off freezes the market
  --clock TIME               when the clock of the exchange starts, such as 2026-08-17T00:00:00Z; the default is now
  --speed NUMBER             how fast the clock runs; the default is 1
  --activity NUMBER          how many times as many orders are placed; the default is 1
  --persist-lag MS           how long an order takes to appear in /orders; the default is 500
  --cursor-end WORD          same, empty, null or absent
  --cursor-encoding WORD     percent or plain

Example: perpdesk venue --port 4010 --store :memory: --seed 7`,

  'doctor': `Usage: perpdesk doctor

Checks what the settings name, and says what to change. The exit code is 1 if something fails.

${SETTINGS}

Example: perpdesk --config /etc/perpdesk/perpdesk.env doctor`,

  'health': `Usage: perpdesk health

The exit code is 0 if Perpdesk is running on the data folder and responds, and 1 otherwise.

${SETTINGS}

Example: DESK_DATA_DIR=/srv/desk perpdesk health`,

  'backup': `Usage: perpdesk backup FILE [--without-store]

Writes the data folder of Perpdesk, running or not, to one zip file, which must not exist yet.

  --without-store  back up the rest if the store is in PostgreSQL, which pg_dump backs up

${SETTINGS}

Example: perpdesk backup /backups/perpdesk-2026-11-26.zip`,

  'restore': `Usage: perpdesk restore FILE [--replace] [--keep-sessions]

Restores a backup to the data folder, while Perpdesk is not running. Ends the sign-in sessions in it and withdraws its
invitations, which may have been used or ended since.

  --replace        if the data folder is not empty, move its contents to a folder replaced-… in it
  --keep-sessions  keep the sessions and invitations of the backup

${SETTINGS}

Example: DESK_DATA_DIR=/srv/desk perpdesk restore /backups/perpdesk-2026-11-26.zip`,

  'export-journal': `Usage: perpdesk export-journal FILE [OPTION]…

Writes the journal of a running Perpdesk to a Parquet file, which must not exist yet.

  --desk URL         a Perpdesk elsewhere; the default is the one that is running on the data folder
  --token-file FILE  an API token, where people sign in; only its owner may have access to the file
  --begin TIME       only readings at or after this time, such as 2026-11-26T00:00:00Z
  --end TIME         only readings before this time

${SETTINGS}

Example: perpdesk export-journal journal.parquet --token-file ~/token --begin 2026-11-26T00:00:00Z`,

  'user': `Usage: perpdesk user COMMAND [NAME] [OPTION]…

Manages the people who can sign in with DESK_ACCESS=users, while Perpdesk is running or not.

  user list [--json]            lists all people
  user add NAME [RIGHT]…        adds a person, and creates a link with which they choose a password
  user set NAME RIGHT…          replaces what is given: the roles, or the scope; the other stays
  user invite NAME [KEEP]…      creates a new link for choosing a password; the earlier one no longer works
  user withdraw NAME            withdraws an invitation
  user disable NAME [KEEP]…     blocks sign-in, and ends all access
  user enable NAME              allows sign-in again
  user end-sessions NAME [KEEP] ends all access, but not the password
  user tokens NAME              lists API tokens
  user passkeys NAME            lists passkeys
  user revoke NAME ID…          revokes API tokens and removes passkeys, by the IDs in these lists
  user revoke NAME [--all-tokens] [--all-passkeys]
  user delete NAME              deletes the person, with sessions, passkeys and API tokens

RIGHT is --role markets, orders, operations or admin; --no-roles; and for the scope, which is the orders a person sees,
--account CODE, --firm NAME, --connection ID, --all-orders or --no-orders. Roles, accounts, firms and connections may be
given several times. Without a role, a person can sign in, but sees nothing.

KEEP is --keep-tokens or --keep-passkeys. Without it, what ends sign-in sessions, such as an accepted invitation, also
revokes the person's API tokens and removes their passkeys.

${SETTINGS}

Example: perpdesk user add ann --role orders --account NORD-105`,

  'audit': `Usage: perpdesk audit check [FILE]
       perpdesk audit export FILE [--after NUMBER]

Checks or exports the audit log, while Perpdesk is running or not.

  audit check          finds entries that were changed, removed, added or moved
  audit check FILE     does the same for a file from "audit export"
  audit export FILE    writes all entries as JSON lines to a new file; with --after NUMBER, only those after this one

${SETTINGS}

Example: perpdesk audit check`,

  'evidence': `Usage: perpdesk evidence check FILE.zip

Recomputes an evidence file, and says what does not match. Needs neither a running Perpdesk nor a network.

Example: perpdesk evidence check orders-2026-11-26.zip`,
};

const FOR_HELP = ['--help', '-h'];

/**
 * @param {string} name
 * @param {readonly string[]} args what follows the name of a command
 * @returns {string | undefined} the text that these ask for
 */
export function findHelp(name, args) {
  if (!args.some((arg) => FOR_HELP.includes(arg))) return undefined;
  return Object.entries(texts).find(([one]) => one === name)?.[1];
}

/** Longer beginnings of lines would leave no room for what follows. */
const COLUMN = 17;

/** @param {string} version */
export function describeUsage(version) {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(COLUMN)}${summary}`);
  return `Perpdesk ${version}

Usage: perpdesk [--config FILE] [COMMAND] [OPTION]…

Without a command, perpdesk runs serve. perpdesk COMMAND --help explains a command.

${lines.join('\n')}

  --config FILE    read settings from this file, like DESK_CONFIG
  --help, --version

Settings are environment variables, or are in that file. docs/configuration.md lists them.`;
}
