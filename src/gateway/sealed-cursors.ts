import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

/** Cursors of which nobody learns what they contain, and which are of use to nobody else. */
export interface SealedCursors {
  /** `owner`: who may use it and what for. Equal positions give equal cursors. */
  readonly seal: (position: string, owner: string) => string;
  /** Null: it was sealed for another owner, by another desk, or never. */
  readonly open: (cursor: string, owner: string) => string | null;
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** `secret`: stays the same after a restart, so that a page read before it has a next one. */
export function createSealedCursors(secret: string): SealedCursors {
  const keyFor = (use: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', `cursor ${use}`, KEY_BYTES));
  const [key, ivKey] = [keyFor('content'), keyFor('iv')];
  return {
    seal: (position, owner) => {
      // From the content, so that it is never used for two different ones.
      const iv = createHmac('sha256', ivKey).update(JSON.stringify([owner, position])).digest().subarray(0, IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([cipher.update(position, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open: (cursor, owner) => {
      const bytes = Buffer.from(cursor, 'base64url');
      if (bytes.byteLength < IV_BYTES + TAG_BYTES) return null;
      try {
        const cipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES)).setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        return cipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + cipher.final('utf8');
      } catch {
        return null;
      }
    },
  };
}
