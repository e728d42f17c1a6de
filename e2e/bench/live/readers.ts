/**
 * Clients of live streams that only count what they receive. Arguments: the address, how many, and `pauses` if they
 * read nothing after the head of the response. The message `received` returns how many bytes have arrived.
 */
import { once } from 'node:events';
import { connect } from 'node:net';

const [address = '', count = '', manner = ''] = process.argv.slice(2);
const { port, hostname, host, pathname, search } = new URL(address);
const REQUEST = `GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\naccept-encoding: gzip\r\n\r\n`;
/** Fewer than the connections that a listening socket queues for its program. */
const AT_ONCE = 100;
let received = 0;

async function open(): Promise<void> {
  const socket = connect({ port: Number(port), host: hostname });
  await once(socket, 'connect');
  socket.write(REQUEST);
  const [first] = (await once(socket, 'data')) as [Buffer];
  if (!first.toString('latin1', 0, 12).endsWith('200')) throw new Error(first.toString('latin1', 0, 200));
  received += first.byteLength;
  if (manner === 'pauses') socket.pause();
  else
    socket.on('data', (bytes: Buffer) => {
      received += bytes.byteLength;
    });
  socket.on('error', (error) => {
    throw error;
  });
}

for (let opened = 0; opened < Number(count); opened += AT_ONCE) {
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, Number(count) - opened) }, open));
}
process.on('message', () => {
  process.send?.(received);
});
console.log(`ready at ${address}`);
