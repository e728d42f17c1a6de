import type { QueryClient } from '@tanstack/react-query';
import { bindLive } from '#api/live/bind-live.ts';
import type { Live } from '#api/live/live.ts';
import { createBeforeFrame } from './before-frame.ts';
import { openChannel } from './open-channel.ts';
import { whenQuiet } from './when-quiet.ts';

/** Without a way to the stream, the page polls. */
export async function startLive(live: Live, client: QueryClient): Promise<void> {
  await whenQuiet(client, schedule);
  const channel = await openChannel();
  if (channel === null) return;
  bindLive(live, client, channel, {
    isHidden: () => document.hidden,
    onVisibility: (listener) => {
      document.addEventListener('visibilitychange', listener);
    },
    onLeave: (listener) => {
      addEventListener('pagehide', listener);
    },
    beforeFrame: createBeforeFrame(requestAnimationFrame),
    every: (ms, call) => {
      setInterval(call, ms);
    },
  });
}

function schedule(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms);
  return () => {
    clearTimeout(timer);
  };
}
