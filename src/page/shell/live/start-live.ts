import type { QueryClient } from '@tanstack/react-query';
import type { Access } from '#page/client/access.ts';
import { bindLive } from '#page/client/live/bind-live.ts';
import type { Live } from '#page/client/live/live.ts';
import { createBeforeFrame } from './before-frame.ts';
import { openChannel } from './open-channel.ts';
import { whenQuiet } from './when-quiet.ts';

/** Without a way to the stream, the page polls. */
export async function startLive(live: Live, client: QueryClient, access: Access): Promise<void> {
  await whenQuiet(client, schedule);
  const channel = await openChannel();
  if (channel === null) return;
  bindLive(live, client, channel, {
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
