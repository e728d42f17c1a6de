import type { Person } from '#contract/desk/access.ts';

/** Describes how a person can sign in, apart from an invitation. */
export function describeWays({
  has_password: hasPassword,
  passkeys,
}: Pick<Person, 'has_password' | 'passkeys'>): string {
  return (
    [hasPassword ? 'password' : '', ...countsOf({ tokens: 0, passkeys })].filter((way) => way !== '').join(', ') ||
    'nothing yet'
  );
}

/** Counts API tokens and passkeys, leaving out those that the person has none of. */
export function describeCredentials(counts: Pick<Person, 'tokens' | 'passkeys'>, between: 'and' | 'or'): string {
  return countsOf(counts).join(` ${between} `);
}

/** Describes what confirming an invitation link ends; empty if that is only sign-in sessions. */
export function describeInvitation({ tokens, passkeys }: Pick<Person, 'tokens' | 'passkeys'>, keep: Keep): string {
  const ends = describeCredentials({ tokens: keep.tokens ? 0 : tokens, passkeys: keep.passkeys ? 0 : passkeys }, 'and');
  const stays = describeCredentials(
    { tokens: keep.tokens ? tokens : 0, passkeys: keep.passkeys ? passkeys : 0 },
    'and',
  );
  return [
    ends === '' ? '' : `When it is used, all sessions end, and ${ends} as well.`,
    stays === '' ? '' : `What stays: ${stays}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** What remains when a person’s access ends. */
export interface Keep {
  readonly tokens: boolean;
  readonly passkeys: boolean;
}

function countsOf({ tokens, passkeys }: Pick<Person, 'tokens' | 'passkeys'>): readonly string[] {
  return [
    ...(tokens === 0 ? [] : [count(tokens, 'API token')]),
    ...(passkeys === 0 ? [] : [count(passkeys, 'passkey')]),
  ];
}

export function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}
