import type { Person } from '#contract/desk-access.ts';

/** How somebody can sign in, apart from an invitation. */
export function describeWays({ has_password: hasPassword, passkeys }: Pick<Person, 'has_password' | 'passkeys'>): string {
  const ways = [hasPassword ? 'password' : '', passkeys === 0 ? '' : passkeys === 1 ? '1 passkey' : `${String(passkeys)} passkeys`];
  return ways.filter((way) => way !== '').join(', ') || 'nothing yet';
}
