import { serverNodeFlags, venueNodeFlags } from './node-flags.mjs';
import { serverSecrets } from './secrets.mjs';

/**
 * @typedef {object} Command
 * @property {string} program
 * @property {string} summary
 * @property {true} [takesArguments]
 * @property {readonly string[]} [nodeFlags]
 * @property {readonly string[]} [secrets] the variables with the keys and passwords that the program needs; no other program receives them
 */

/**
 * What Perpdesk itself can do, by the names that `perpdesk` has for it. The npm scripts run the same programs.
 *
 * @type {Readonly<Record<'serve' | 'gateway' | 'desks' | 'venue' | 'doctor' | 'health' | 'backup' | 'restore' | 'export-journal' | 'evidence' | 'user' | 'audit', Command>>}
 */
export const commands = {
  'serve': {
    program: 'src/serve.ts',
    summary: 'start Perpdesk; without settings, with the embedded exchange',
    nodeFlags: venueNodeFlags,
    secrets: serverSecrets,
  },
  'gateway': {
    program: 'src/server/main/main.ts',
    summary: 'start Perpdesk without the embedded exchange',
    nodeFlags: serverNodeFlags,
    secrets: serverSecrets,
  },
  'desks': {
    program: 'src/desks/main.ts',
    summary: 'start several desks on one PostgreSQL database, to try them out',
    takesArguments: true,
    nodeFlags: venueNodeFlags,
    secrets: serverSecrets,
  },
  'venue': {
    program: 'src/venue/main.ts',
    summary: 'start only the embedded exchange',
    takesArguments: true,
    nodeFlags: venueNodeFlags,
    secrets: ['VENUE_CREDENTIAL'],
  },
  'doctor': {
    program: 'src/server/main/doctor.ts',
    summary: 'check everything that the settings name, and say what to change',
    secrets: serverSecrets,
  },
  'health': {
    program: 'src/server/main/health.ts',
    summary: 'exit with 0 if Perpdesk is running on the data folder and responds',
  },
  'backup': {
    program: 'src/server/main/backup.ts',
    summary: 'write all data of Perpdesk, running or not, to one file',
    takesArguments: true,
  },
  'restore': {
    program: 'src/server/main/restore.ts',
    summary: 'restore a backup to the data folder, while Perpdesk is not running',
    takesArguments: true,
  },
  'export-journal': {
    program: 'src/server/main/export-journal.ts',
    summary: 'write the journal to a Parquet file, while Perpdesk is running',
    takesArguments: true,
  },
  'user': {
    program: 'src/server/main/user.ts',
    summary: 'manage the people who can sign in',
    takesArguments: true,
    secrets: serverSecrets,
  },
  'audit': {
    program: 'src/server/main/audit.ts',
    summary: 'check or export the audit log',
    takesArguments: true,
    secrets: serverSecrets,
  },
  'evidence': {
    program: 'src/evidence/main.ts',
    summary: 'recompute an evidence file, and say what does not match',
    takesArguments: true,
  },
};
