import type { ReaderChannel } from '#page/client/live/bind-live.ts';
import type { FromReader, ToReader } from '#page/client/live/protocol.ts';
import { createStreamReader } from '#page/client/live/stream-reader.ts';
import { createReaderParts } from './reader-parts.ts';

/**
 * Pages of two builds, before and after an update, need not understand each other: each build elects a reader of its own.
 * The address of this file has a hash of all the code that speaks here.
 */
const NAME = `perpdesk-live ${new URL(import.meta.url).pathname}`;

type Broadcast =
  | { readonly from: string; readonly message: ToReader }
  | { readonly to: string; readonly message: FromReader }
  /** A page has become the reader: the others say again who looks at them, and what they follow. */
  | { readonly elected: true };

/** One page holds a lock and reads the stream for all; when it goes, the browser gives the lock to another. */
export function openElectedChannel(): ReaderChannel {
  const own = crypto.randomUUID();
  const channel = new BroadcastChannel(NAME);
  let listener: (message: FromReader) => void = () => undefined;
  /** What a reader has to know of this page. */
  const last = new Map<ToReader['kind'], ToReader>();
  let toReader: ((from: string, message: ToReader) => void) | null = null;

  const post = (broadcast: Broadcast): void => {
    channel.postMessage(broadcast);
  };

  const send = (message: ToReader): void => {
    if (message.kind === 'viewer' || message.kind === 'follow') last.set(message.kind, message);
    if (toReader === null) post({ from: own, message });
    else toReader(own, message);
  };

  channel.addEventListener('message', ({ data }: MessageEvent<Broadcast>) => {
    if ('from' in data) toReader?.(data.from, data.message);
    else if ('elected' in data) sendAgain();
    else if (data.to === own) listener(data.message);
  });

  const sendAgain = (): void => {
    for (const message of last.values()) send(message);
  };

  // Held for as long as the page lives.
  void navigator.locks.request(NAME, () => {
    toReader = startReading((to, message) => {
      if (to === own) listener(message);
      else post({ to, message });
    });
    post({ elected: true });
    sendAgain();
    return new Promise(() => undefined);
  });

  return {
    send,
    listen: (next) => {
      listener = next;
    },
  };
}

function startReading(send: (to: string, message: FromReader) => void): (from: string, message: ToReader) => void {
  const reader = createStreamReader(createReaderParts());
  const pages = new Map<string, (message: ToReader) => void>();
  return (from, message) => {
    const receive =
      pages.get(from) ??
      reader.connect((answer) => {
        send(from, answer);
      });
    pages.set(from, receive);
    receive(message);
    if (message.kind === 'leave') pages.delete(from);
  };
}
