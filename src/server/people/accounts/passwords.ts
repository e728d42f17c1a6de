import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { VenueFailure } from '#server/core/venue-failure.ts';

/** Hashes and verifies passwords: argon2id, stored as a PHC string. */
export interface Passwords {
  /** Only for those who have proved who they are. */
  readonly hash: (password: string) => Promise<string>;
  /**
   * Takes the same time if `stored` is null, for a name without a password, so that the duration reveals nothing.
   * `isKnown`: whether the browser is one in which this person has signed in before.
   */
  readonly verify: (
    password: string,
    stored: string | null,
    options?: { readonly isKnown: boolean },
  ) => Promise<boolean>;
}

/** OWASP's minimum for argon2id. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
const SALT_BYTES = 16;
const FORMAT = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** Each hash takes a thread and 19 MiB for about 30 ms, so more at once would slow down all other requests. */
const MOST_AT_ONCE = 2;
const MOST_WAITING = 40;

type Derive = (
  password: string,
  salt: Buffer,
  cost: { readonly memory: number; readonly passes: number; readonly parallelism: number; readonly tagLength: number },
) => Promise<Buffer>;

const deriveKey: Derive = (password, nonce, cost) =>
  promisify(argon2)('argon2id', { message: toMessage(password), nonce, ...cost });

export function createPasswords(derive: Derive = deriveKey): Passwords {
  const bounded = createBound();
  const nobody = format(randomBytes(SALT_BYTES), randomBytes(PARAMETERS.tagLength));
  return {
    hash: (password) =>
      bounded(true, async () => {
        const salt = randomBytes(SALT_BYTES);
        return format(salt, await derive(password, salt, PARAMETERS));
      }),
    verify: (password, stored, { isKnown } = { isKnown: false }) =>
      bounded(isKnown, async () => {
        const { salt, key, ...cost } = parse(stored ?? nobody);
        const derived = await derive(password, salt, { ...cost, tagLength: key.length });
        return timingSafeEqual(derived, key) && stored !== null;
      }),
  };
}

/** Normalises the password, since letters with accents have several encodings. */
function toMessage(password: string): string {
  return password.normalize('NFKC');
}

function format(salt: Buffer, key: Buffer): string {
  const { memory, passes, parallelism } = PARAMETERS;
  const encode = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
  const cost = `m=${String(memory)},t=${String(passes)},p=${String(parallelism)}`;
  return `$argon2id$v=19$${cost}$${encode(salt)}$${encode(key)}`;
}

function parse(stored: string) {
  const [, memory, passes, parallelism, salt, key] = FORMAT.exec(stored) ?? [];
  if (salt === undefined || key === undefined) throw new Error('The store contains a password in an unknown form.');
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  };
}

const BUSY = 'Too many people are signing in at the same time. Try again in a second.';

/**
 * Runs a few tasks at once, lets some wait, and rejects the rest immediately. Those of known people come first, so that
 * no number of strangers keeps them from signing in.
 */
function createBound(): <Result>(isKnown: boolean, work: () => Promise<Result>) => Promise<Result> {
  const known: (() => void)[] = [];
  const strangers: (() => void)[] = [];
  let running = 0;
  const begin = async (waiting: (() => void)[]): Promise<void> => {
    if (running < MOST_AT_ONCE) {
      running += 1;
      return;
    }
    if (waiting.length >= MOST_WAITING)
      throw new VenueFailure({ type: 'too-soon', detail: BUSY, retryAfterSeconds: 1 });
    await new Promise<void>((resolve) => void waiting.push(resolve));
  };
  const end = (): void => {
    const next = known.shift() ?? strangers.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async (isKnown, work) => {
    await begin(isKnown ? known : strangers);
    try {
      return await work();
    } finally {
      end();
    }
  };
}
