import type { Account } from '../core/model.ts';
import { hashText } from '../core/random.ts';

const FIRMS = ['HALC', 'MERI', 'NORD'] as const;
const CONNECTIONS_PER_FIRM = 3;
const ACCOUNTS_PER_CONNECTION = 4;

/** 36 accounts at three clearing firms, each of which has three connections. */
export function makeAccounts(): readonly [Account, ...Account[]] {
  const [first, ...rest] = FIRMS.flatMap((firm) => accountsOf(firm));
  if (first === undefined) throw new RangeError('An exchange without accounts has no members.');
  return [first, ...rest];
}

function accountsOf(firm: string): Account[] {
  const count = CONNECTIONS_PER_FIRM * ACCOUNTS_PER_CONNECTION;
  return Array.from({ length: count }, (_, index) => ({
    id: `${firm}-${String(101 + index)}`,
    firm,
    connectionId: connectionIdOf(firm, Math.floor(index / ACCOUNTS_PER_CONNECTION)),
  }));
}

function connectionIdOf(firm: string, index: number): string {
  return hashText(`${firm}/connection/${index}`).toString(16).padStart(8, '0');
}
