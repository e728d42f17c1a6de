import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;
const ID_BYTES = 10;

/** Returns 256 random bits, for a cookie, a link or a header. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Returns the ID of a record for addresses and logs. It is not secret. */
export function newId(): string {
  return randomBytes(ID_BYTES).toString('hex');
}

/** Returns the only form in which a secret is stored. Secrets are random, so a slow hash would add nothing. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares in constant time. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());
}

/**
 * Returns the token that a page sends with each action. Only the holder of the cookie can read it, and it does not
 * reveal the cookie.
 */
export function forgeryTokenOf(secretHash: string): string {
  return createHash('sha256').update(`forgery ${secretHash}`).digest('base64url');
}
