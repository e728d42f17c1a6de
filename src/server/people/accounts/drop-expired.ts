import type { AccessBook, AccessState } from './access-book.ts';

/** What can be used no more, by its ids. */
interface Expired {
  readonly sessions: readonly string[];
  readonly tokens: readonly string[];
  readonly invitations: readonly string[];
}

/** Drops from the store what has expired. Whether it can be written matters little: nothing of it is of use any more. */
export async function dropExpired(
  book: Pick<AccessBook, 'state' | 'change'>,
  idleMs: number,
  now: () => number,
): Promise<void> {
  const { sessions, tokens, invitations } = findExpired(book.state(), idleMs, now());
  if (sessions.length + tokens.length + invitations.length === 0) return;
  await book.change((state) => [{ drop: findExpired(state, idleMs, now()) }, undefined]).catch(() => undefined);
}

function findExpired({ sessions, tokens, invitations }: AccessState, idleMs: number, now: number): Expired {
  return {
    sessions: idsOf(
      [...sessions.values()].filter(({ endsAt, lastUsedAt }) => endsAt <= now || lastUsedAt + idleMs <= now),
    ),
    tokens: idsOf([...tokens.values()].filter(({ expiresAt }) => expiresAt <= now)),
    invitations: idsOf([...invitations.values()].filter(({ expiresAt }) => expiresAt <= now)),
  };
}

function idsOf(records: readonly { readonly id: string }[]): readonly string[] {
  return records.map(({ id }) => id);
}
