import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECRET_NAMES } from '#contract/desk/settings.ts';
import { CONFIG_VARIABLE } from './config-file.ts';
import { readVariable, type Environment } from './environment.ts';
import { readSecretFile } from './secret-file.ts';
import type { SettingsFiles } from './source.ts';

/** Set by systemd for a service with LoadCredential=. */
const CREDENTIALS_VARIABLE = 'CREDENTIALS_DIRECTORY';

/** The files of this machine. */
export function openSettingsFiles(environment: Environment): SettingsFiles {
  const folder = environment[CREDENTIALS_VARIABLE] ?? null;
  return {
    read: (path) => readFileSync(path, 'utf8'),
    readSecret: (path) => readSecretFile(path, folder),
    credentialOf: (name) => {
      const path = folder === null ? null : join(folder, name);
      return path !== null && existsSync(path) ? path : null;
    },
  };
}

/** The files that settings are read from while Perpdesk runs. `environment` includes what the file that it names sets. */
export function listSettingsFiles(environment: Environment, { credentialOf }: SettingsFiles): readonly string[] {
  const secrets = SECRET_NAMES.map((name) => readVariable(environment, `${name}_FILE`) ?? credentialOf(name));
  return [readVariable(environment, CONFIG_VARIABLE), ...secrets].filter((path) => path !== null);
}
