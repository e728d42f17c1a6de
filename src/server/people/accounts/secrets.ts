import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;
const ID_BYTES = 10;

/** 256 random bits, for a cookie, a link or a header. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Names a record in addresses and logs; it is no secret. */
export function newId(): string {
  return randomBytes(ID_BYTES).toString('hex');
}

/** All that is stored of a secret. It is random, so a slow hash would add nothing. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Takes equally long wherever the two differ. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());
}

/** What a page sends with each action. Only who has the cookie can read it, and it does not reveal the cookie. */
export function forgeryTokenOf(secretHash: string): string {
  return createHash('sha256').update(`forgery ${secretHash}`).digest('base64url');
}
