import { gatewayNodeFlags, venueNodeFlags } from './node-flags.mjs';
import { gatewaySecrets } from './secrets.mjs';

/**
 * @typedef {object} Command
 * @property {string} program
 * @property {string} summary
 * @property {string} [parameters] what may follow its name
 * @property {readonly string[]} [nodeFlags]
 * @property {readonly string[]} [secrets] the variables with the keys and passwords that the program needs; no other program receives them
 */

/**
 * What Perpdesk itself can do, by the names that `perpdesk` has for it. The npm scripts run the same programs.
 *
 * @type {Readonly<Record<'serve' | 'gateway' | 'venue' | 'doctor' | 'health' | 'backup' | 'restore' | 'export-journal' | 'evidence' | 'user' | 'audit', Command>>}
 */
export const commands = {
  serve: { program: 'src/serve.ts', summary: 'start Perpdesk; without settings, with its embedded exchange', nodeFlags: venueNodeFlags, secrets: gatewaySecrets },
  gateway: { program: 'src/gateway/main.ts', summary: 'start Perpdesk without the embedded exchange in its process', nodeFlags: gatewayNodeFlags, secrets: gatewaySecrets },
  venue: { program: 'src/venue/main.ts', summary: 'start the exchange alone', parameters: '[--port PORT] …', nodeFlags: venueNodeFlags, secrets: ['VENUE_CREDENTIAL'] },
  doctor: { program: 'src/gateway/doctor.ts', summary: 'check the exchange that the settings name, and say what to change', secrets: gatewaySecrets },
  health: { program: 'src/gateway/health.ts', summary: 'say by the exit code whether a Perpdesk runs on the data folder and responds' },
  backup: { program: 'src/gateway/backup.ts', summary: 'write all data of a Perpdesk, running or not, to one file', parameters: 'FILE' },
  restore: { program: 'src/gateway/restore.ts', summary: 'put a backup into the data folder of a Perpdesk that is not running', parameters: 'FILE [--replace]' },
  'export-journal': { program: 'src/gateway/export-journal.ts', summary: 'write the journal of a running Perpdesk to a Parquet file', parameters: 'FILE [--begin TIME] [--end TIME] …' },
  user: { program: 'src/gateway/user.ts', summary: 'add, change, invite, disable or delete people who may sign in', parameters: 'list | add NAME [--role ROLE]… | …', secrets: gatewaySecrets },
  audit: { program: 'src/gateway/audit.ts', summary: 'check or export the log of what people did', parameters: 'check [FILE] | export FILE', secrets: gatewaySecrets },
  evidence: { program: 'src/evidence/main.ts', summary: 'compute an evidence file again, and say what does not hold', parameters: 'check FILE.zip' },
};
