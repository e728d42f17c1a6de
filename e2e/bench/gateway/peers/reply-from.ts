/** Fastify with @fastify/reply-from, which signs what it forwards. Argument: the address it forwards to. */
import replyFrom from '@fastify/reply-from';
import fastify from 'fastify';
import { signNow } from '../../lib/sign.ts';

const [base = ''] = process.argv.slice(2);

const server = fastify();
server.register(replyFrom, { base, undici: { connections: 64, pipelining: 1 } });
server.get('/api/*', (request, reply) => {
  const { url } = request.raw;
  reply.from(url, { rewriteRequestHeaders: (_request, headers) => ({ ...headers, ...signNow(url) }) });
});
console.log(`ready at ${await server.listen({ port: 0, host: '127.0.0.1' })}/`);
