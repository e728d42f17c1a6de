// Preloaded into the desk of a soak test with --import: tells whoever connects to SOAK_MEMORY_SOCKET how much memory is in use.
import { createServer } from 'node:net';

createServer((socket) => {
  socket.on('error', () => undefined);
  // A regular collection keeps the pages that it empties, and with them the most that was in use at any time.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  const { rss, heapUsed } = process.memoryUsage();
  const sockets = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
  socket.end(JSON.stringify({ rss, heap: heapUsed, sockets }));
})
  .listen(process.env['SOAK_MEMORY_SOCKET'])
  .unref();
