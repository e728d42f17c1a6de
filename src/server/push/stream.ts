import type { ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';
import type { Cursors, Tick } from './cursors.ts';
import type { Feed } from './feed.ts';
import { GZIP_HEAD, gzipEnd, HEARTBEAT, toEvent, toSmallFrame, type Frame } from './frame.ts';

export interface StreamParts {
  readonly response: ServerResponse;
  readonly isPacked: boolean;
  readonly cursors: Pick<Cursors, 'current'>;
}

/** One client's stream. */
export interface Stream {
  /** `held`: what the client has of it; null: nothing. */
  readonly add: (feed: Feed, held: Tick | null) => void;
  /** A topic was read at this moment: sends what the client has not been sent, as far as it takes it. */
  readonly onChange: () => void;
  /** The same at any other time: each reading is as old as it is by now. */
  readonly resume: () => void;
  readonly heartbeat: () => void;
  readonly renew: () => void;
  readonly end: () => void;
}

interface Followed {
  readonly feed: Feed;
  held: Tick | null;
}

const heartbeat = toSmallFrame(HEARTBEAT);
const renewal = toSmallFrame(toEvent('renew', '{}'));

/**
 * Nothing waits in a queue of its own: a client that takes nothing is sent nothing, and what it missed is in the logs that
 * all streams share, or in a snapshot.
 */
export function openStream({ response, isPacked, cursors }: StreamParts): Stream {
  const follows: Followed[] = [];
  let isCatchingUp = false;
  let namedTick: Tick | null = null;

  const { write, writeIfFree, isBlocked, end } = createWriter(response, isPacked);

  const onChange = (): void => {
    if (isCatchingUp || isBlocked()) return;
    const [first, ...others] = follows.filter(isBehind);
    if (first === undefined || others.length > 0 || !sendLatest(first)) resume();
  };

  const resume = (): void => {
    if (isCatchingUp || isBlocked()) return;
    const behind = follows.filter(isBehind);
    if (behind.length === 0) nameTick();
    else void catchUp(behind);
  };

  /** The usual case: one topic was read, and this stream had all before. */
  const sendLatest = (followed: Followed): boolean => {
    const latest = followed.feed.latest();
    if (latest?.from !== followed.held) return false;
    write(isWhole(follows) ? latest.withCursor : latest.frame);
    followed.held = followed.feed.tick();
    if (isWhole(follows)) namedTick = followed.held;
    return true;
  };

  const catchUp = async (behind: readonly Followed[]): Promise<void> => {
    isCatchingUp = true;
    for (const followed of behind) {
      const { tick, frames } = await followed.feed.catchUp(followed.held);
      if (isBlocked()) break;
      frames.forEach(write);
      followed.held = tick;
    }
    isCatchingUp = false;
    resume();
  };

  /** A cursor says that the client has all of its topics. */
  const nameTick = (): void => {
    const { tick, frame } = cursors.current();
    if (tick === namedTick || !isWhole(follows)) return;
    namedTick = tick;
    write(frame);
  };

  response.on('drain', resume);
  write(heartbeat);
  return {
    add: (feed, held) => void follows.push({ feed, held }),
    onChange,
    resume,
    end,
    heartbeat: () => {
      writeIfFree(heartbeat);
    },
    renew: () => {
      writeIfFree(renewal);
    },
  };
}

function createWriter(response: ServerResponse, isPacked: boolean) {
  if (isPacked) response.write(GZIP_HEAD);
  const isBlocked = (): boolean => response.writableNeedDrain || response.destroyed || response.writableEnded;
  let [crc, bytes] = [0, 0];
  const write = ({ plain, packed }: Frame): void => {
    if (isPacked) {
      crc = crc32(plain, crc);
      bytes += plain.byteLength;
    }
    response.write(isPacked ? packed : plain);
  };
  const writeIfFree = (frame: Frame): void => {
    if (!isBlocked()) write(frame);
  };
  const end = (): void => {
    if (!response.writableEnded) response.end(isPacked ? gzipEnd(crc, bytes) : undefined);
  };
  return { isBlocked, write, writeIfFree, end };
}

function isBehind({ feed, held }: Followed): boolean {
  return feed.tick() !== null && feed.tick() !== held;
}

function isWhole(follows: readonly Followed[]): boolean {
  return follows.every(({ feed }) => feed.tick() !== null);
}
