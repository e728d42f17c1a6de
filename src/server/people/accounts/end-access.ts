import type { AccessState } from './access-registry.ts';
import type { Keep } from './records.ts';

export const KEEP_NOTHING: Keep = { tokens: false, passkeys: false };

type Credential = keyof Keep;
type Counts = Readonly<Record<Credential, number>>;

/** How much of a person's access was ended, and how much was kept. */
export interface Ended extends Counts {
  readonly sessions: number;
  readonly kept: Counts;
}

interface EndPlan {
  readonly drop: Readonly<Record<'sessions' | Credential, readonly string[]>>;
  readonly ended: Ended;
}

/** Plans the end of a person's access except for the password: sessions, and what is not kept. */
export function planEnd(state: AccessState, personId: string, keep: Keep): EndPlan {
  const own = (kind: 'sessions' | Credential): readonly string[] =>
    [...state[kind].values()].filter(({ person }) => person === personId).map(({ id }) => id);
  const all = { sessions: own('sessions'), tokens: own('tokens'), passkeys: own('passkeys') };
  const drop = {
    sessions: all.sessions,
    tokens: keep.tokens ? [] : all.tokens,
    passkeys: keep.passkeys ? [] : all.passkeys,
  };
  const kept = { tokens: all.tokens.length - drop.tokens.length, passkeys: all.passkeys.length - drop.passkeys.length };
  return {
    drop,
    ended: { sessions: drop.sessions.length, tokens: drop.tokens.length, passkeys: drop.passkeys.length, kept },
  };
}

/** Describes the ended access in sentences. */
export function describeEnded({ sessions, tokens, passkeys, kept }: Ended, name: string): string {
  return [
    `Ended ${count(sessions, 'session')} of "${name}".`,
    ...describeCounts('Revoked', 'Removed', { tokens, passkeys }),
    ...describeCounts('Kept', 'Kept', kept),
  ].join(' ');
}

/** Describes what an invitation will end once accepted; empty if only sessions end. */
export function describeToEnd({ tokens, passkeys, kept }: Ended): string {
  const ends = [
    ...(tokens === 0 ? [] : [count(tokens, 'API token')]),
    ...(passkeys === 0 ? [] : [count(passkeys, 'passkey')]),
  ];
  const stays = [
    ...(kept.tokens === 0 ? [] : [count(kept.tokens, 'API token')]),
    ...(kept.passkeys === 0 ? [] : [count(kept.passkeys, 'passkey')]),
  ];
  return [
    ends.length === 0 ? '' : `When it is used, all sessions end, and ${ends.join(' and ')} as well.`,
    stays.length === 0 ? '' : `What stays: ${stays.join(' and ')}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function describeCounts(ofTokens: string, ofPasskeys: string, { tokens, passkeys }: Counts): readonly string[] {
  return [
    ...(tokens === 0 ? [] : [`${ofTokens} ${count(tokens, 'API token')}.`]),
    ...(passkeys === 0 ? [] : [`${ofPasskeys} ${count(passkeys, 'passkey')}.`]),
  ];
}

export function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}
