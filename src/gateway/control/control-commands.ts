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
}

export type ControlCommand = keyof ControlCommands;
