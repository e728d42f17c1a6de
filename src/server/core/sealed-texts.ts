import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

/** Encrypted cursors, valid only for the owner they were issued to. Equal positions give equal cursors. */
export type SealedCursors = SealedTexts;

export function createSealedCursors(secret: string, earlierSecrets?: () => readonly string[]): SealedCursors {
  return createSealedTexts(secret, 'cursor', earlierSecrets);
}

/** Texts that only desks with the same secret can read, and only their owner can use. */
export interface SealedTexts {
  /** `owner` says who may use it and for what. Equal texts give equal seals. */
  readonly seal: (text: string, owner: string) => string;
  /** Null if it was sealed for another owner or purpose, with another secret, or never. */
  readonly open: (sealed: string, owner: string) => string | null;
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Creates seals with a secret that must stay the same across restarts, so that earlier ones can still be opened. Those
 * of `earlierSecrets` can be opened as well.
 */
export function createSealedTexts(
  secret: string,
  purpose: string,
  earlierSecrets: () => readonly string[] = () => [],
): SealedTexts {
  const keyFor = (use: string, of = secret): Buffer =>
    Buffer.from(hkdfSync('sha256', of, '', `${purpose} ${use}`, KEY_BYTES));
  const [key, ivKey] = [keyFor('content'), keyFor('iv')];
  return {
    seal: (text, owner) => {
      // Derived from the content, so that it is never used for two different ones.
      const iv = createHmac('sha256', ivKey)
        .update(JSON.stringify([owner, text]))
        .digest()
        .subarray(0, IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(owner));
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64url');
    },
    open: (sealed, owner) => {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.byteLength < IV_BYTES + TAG_BYTES) return null;
      const opened = openWith(key, bytes, owner);
      if (opened !== null) return opened;
      for (const earlier of earlierSecrets()) {
        const text = openWith(keyFor('content', earlier), bytes, owner);
        if (text !== null) return text;
      }
      return null;
    },
  };
}

function openWith(key: Buffer, bytes: Buffer, owner: string): string | null {
  try {
    const cipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(owner))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return cipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + cipher.final('utf8');
  } catch {
    return null;
  }
}
