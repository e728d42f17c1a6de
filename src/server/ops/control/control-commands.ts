/** Copies of the databases that a running Perpdesk has open. */
export interface DatabaseCopies {
  /** The version that made them. */
  readonly version: string;
  /** The folder they are in, inside of the data folder. Who requested them deletes it. */
  readonly folder: string;
  /** The files in it. */
  readonly names: readonly string[];
}

/** What a running Perpdesk does for the owner of its data folder, each by the name that it is called by. */
export interface ControlCommands {
  readonly 'copy-databases': () => Promise<DatabaseCopies>;
  /** A command about people, by its words; `baseUrl` precedes links. */
  readonly 'user': (input: {
    readonly args: readonly string[];
    readonly baseUrl: string;
  }) => Promise<UserCommandResult>;
  /** Where the log of what was done begins and ends. */
  readonly 'audit-ends': () => Promise<{ readonly anchor: AuditLink; readonly head: AuditLink }>;
  /** Its entries after a number. */
  readonly 'audit-after': (input: { readonly number: number; readonly limit: number }) => Promise<readonly AuditRow[]>;
}

/** Lines to print, or what was wrong with the words. */
export type UserCommandResult = { readonly lines: readonly string[] } | { readonly mistake: string };

interface AuditLink {
  readonly number: number;
  readonly hash: string;
}

interface AuditRow extends AuditLink {
  readonly who: string;
  readonly kind: string;
  readonly body: string;
}

export type ControlCommand = keyof ControlCommands;
