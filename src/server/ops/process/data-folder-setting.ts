import { withConfigFile } from './config-file.ts';
import { readVariable, type Environment } from './environment.ts';
import { openSettingsFiles } from './settings-files.ts';

const DEFAULT_DATA_DIR = '.perpdesk';

export function readDataDir(environment: Environment): string {
  return readVariable(environment, 'DESK_DATA_DIR') ?? DEFAULT_DATA_DIR;
}

/** For commands that need no other setting. Throws the mistakes of the file that the environment names. */
export function readDataDirOf(environment: Environment): string {
  const configured = withConfigFile(environment, openSettingsFiles(environment));
  if (configured.problems.length > 0) throw new Error(configured.problems.join('\n'));
  return readDataDir(configured.environment);
}
