/** Those of the settings that hold a key or a password. */
export const serverSecrets = [
  'DESK_AUTH_TOKEN',
  'DESK_SECRET',
  'DESK_DATABASE_URL',
  'DESK_SECRET',
  'DESK_WEBHOOKS',
  'DESK_SMTP_URL',
  'DESK_HEARTBEAT_URL',
  'DESK_OIDC_CLIENT_SECRET',
  'DESK_METRICS_TOKEN',
];

/** Variables that hold a key or a password. Of the programs that the launcher starts, only those that use one receive it. */
const secrets = [...serverSecrets, 'CONFORMANCE_AUTH_TOKEN', 'VENUE_CREDENTIAL'];

/**
 * @param {NodeJS.ProcessEnv} environment
 * @param {readonly string[]} [kept] the variables that the program needs
 * @returns {NodeJS.ProcessEnv}
 */
export function withoutSecrets(environment, kept = []) {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => kept.includes(name) || !secrets.includes(name)),
  );
}
