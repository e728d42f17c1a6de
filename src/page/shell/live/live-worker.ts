import type { FromReader, ToReader } from '#page/client/live/protocol.ts';
import { createBrowserReader } from './browser-reader.ts';

/** Runs once for all pages of a browser: however many are open, there is one stream. */
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
