/** Variables that hold a key. Of the programs that the launcher starts, only the one that signs with a key receives it. */
const secrets = ['DESK_AUTH_TOKEN', 'CONFORMANCE_AUTH_TOKEN', 'VENUE_CREDENTIAL'];

/**
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} [kept] the one variable that the program needs
 * @returns {NodeJS.ProcessEnv}
 */
export function withoutSecrets(environment, kept) {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name === kept || !secrets.includes(name)));
}
