import type { FromReader, ToReader } from '#page/client/live/live.ts';
import { createBrowserReader } from './browser-reader.ts';

/** A shared worker, so that all pages of a browser share one stream. */
const reader = createBrowserReader();

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port === undefined) return;
  const receive = reader.connect((message: FromReader) => {
    port.postMessage(message);
  });
  port.addEventListener('message', ({ data }: MessageEvent<ToReader>) => {
    receive(data);
  });
  port.start();
});
