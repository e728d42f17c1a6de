// Preloaded into the server of a soak test with --import: reports the memory in use to every connection to
// SOAK_MEMORY_SOCKET.
import { createServer } from 'node:net';

createServer((socket) => {
  socket.on('error', () => undefined);
  // A regular garbage collection keeps the pages that it empties, and with them the largest amount that was ever in
  // use.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  const { rss, heapUsed } = process.memoryUsage();
  const sockets = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
  socket.end(JSON.stringify({ rss, heap: heapUsed, sockets }));
})
  .listen(process.env['SOAK_MEMORY_SOCKET'])
  .unref();
