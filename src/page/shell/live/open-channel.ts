import type { FromReader } from '#page/client/live/protocol.ts';
import type { ReaderChannel } from '#page/client/live/bind-live.ts';

/**
 * The way to the one reader of this browser's stream: a shared worker, or where there is none, one of the pages. Null where
 * pages cannot agree on one: a stream for each would use up the few connections that a browser opens to a server.
 */
export async function openChannel(): Promise<ReaderChannel | null> {
  if ('SharedWorker' in globalThis) return openWorkerChannel();
  // In a page that is not from this machine and without TLS, there are no locks.
  if (!('BroadcastChannel' in globalThis) || !('locks' in navigator)) return null;
  const { openElectedChannel } = await import('./elected-channel.ts');
  return openElectedChannel();
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
