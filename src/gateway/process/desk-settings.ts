import { isLoopback } from '../loopback.ts';
import { readVariable, type Environment } from './environment.ts';

export interface DeskSettings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

export type SettingsResult =
  | { readonly settings: DeskSettings; readonly problems: null }
  | { readonly settings: null; readonly problems: readonly string[] };

/** The settings, or every mistake in them, each a sentence that begins with its variable. */
export function readDeskSettings(environment: Environment): SettingsResult {
  const host = readVariable(environment, 'DESK_HOST') ?? '127.0.0.1';
  const port = readVariable(environment, 'DESK_PORT') ?? '8080';
  const problems = [hostProblem(host), portProblem(port)].filter((problem) => problem !== undefined);
  return problems.length > 0
    ? { settings: null, problems }
    : { settings: { host, port: Number(port) }, problems: null };
}

function hostProblem(host: string): string | undefined {
  if (isLoopback(host)) return undefined;
  return `DESK_HOST is "${host}", but Perpdesk has no access control yet, so only this machine may connect: use 127.0.0.1, ::1 or localhost.`;
}

function portProblem(port: string): string | undefined {
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return undefined;
  return `DESK_PORT is "${port}", but must be a whole number from 0 to 65535 (0 takes any free port).`;
}
