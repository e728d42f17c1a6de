import type { QueryClient } from '@tanstack/react-query';
import type { Access } from '#page/client/access.ts';
import { bindLive, type ReaderChannel } from '#page/client/live/bind-live.ts';
import type { Live } from '#page/client/live/live.ts';
import type { FromReader } from '#page/client/live/protocol.ts';
import { createBeforeFrame } from './before-frame.ts';
import { whenQuiet } from './when-quiet.ts';

export async function startLive(live: Live, client: QueryClient, access: Access): Promise<void> {
  await whenQuiet(client, schedule);
  bindLive(live, client, await openChannel(), {
    access,
    isHidden: () => document.hidden,
    onVisibility: (listener) => {
      document.addEventListener('visibilitychange', listener);
    },
    onLeave: (listener) => {
      addEventListener('pagehide', listener);
    },
    beforeFrame: createBeforeFrame(onNextFrame),
    every: (ms, call) => {
      setInterval(call, ms);
    },
  });
}

/**
 * The way to the reader of the stream: a shared worker, for all pages of this browser, or where there is none, a reader in
 * this page. That one has a stream only while the page is visible or something is read in its background, so that the
 * streams of many tabs do not use up the few connections that a browser opens to a server.
 */
function openChannel(): ReaderChannel | Promise<ReaderChannel> {
  return 'SharedWorker' in globalThis ? openWorkerChannel() : openPageChannel();
}

/** Browsers tell shared workers apart by their address, which has a hash of their code: pages of another build have another. */
function openWorkerChannel(): ReaderChannel {
  const { port } = new SharedWorker(new URL('./live-worker.ts', import.meta.url), { type: 'module', name: 'perpdesk' });
  return {
    send: (message) => {
      port.postMessage(message);
    },
    listen: (listener) => {
      port.addEventListener('message', ({ data }: MessageEvent<FromReader>) => {
        listener(data);
      });
      port.start();
    },
  };
}

async function openPageChannel(): Promise<ReaderChannel> {
  const { createBrowserReader } = await import('./browser-reader.ts');
  let listener: (message: FromReader) => void = () => undefined;
  const send = createBrowserReader().connect((message) => {
    listener(message);
  });
  return {
    send,
    listen: (next) => {
      listener = next;
    },
  };
}

/** A hidden page draws no frame, and one that is hidden meanwhile does not draw the next. */
function onNextFrame(call: () => void): void {
  if (document.hidden) {
    queueMicrotask(call);
    return;
  }
  const run = (): void => {
    cancelAnimationFrame(frame);
    document.removeEventListener('visibilitychange', run);
    call();
  };
  const frame = requestAnimationFrame(run);
  document.addEventListener('visibilitychange', run);
}

export function schedule(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms);
  return () => {
    clearTimeout(timer);
  };
}
