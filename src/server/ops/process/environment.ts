import type { SettingName } from '#contract/desk/settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a variable, or null. An empty variable counts as unset: that is how a shell clears one for a single command. */
export function readVariable(environment: Environment, name: SettingName | 'DESK_CONFIG'): string | null {
  const value = environment[name]?.trim() ?? '';
  return value === '' ? null : value;
}
