// Floods a server on a Unix socket, in a separate process, until it is ended: main.ts <socket> <person> <how many at
// once> <path, with # for a number>.
import { Agent, request } from 'node:http';

const [, , socketPath = '', person = '', atOnce = '', path = ''] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: Number(atOnce) });
const statuses: Record<string, number> = {};
let count = 0;

function next(): void {
  count += 1;
  const sent = request(
    {
      socketPath,
      path: path.replace('#', String(count)),
      agent,
      headers: { 'host': 'localhost', 'remote-user': person, 'remote-groups': 'all' },
    },
    (response) => {
      statuses[String(response.statusCode)] = (statuses[String(response.statusCode)] ?? 0) + 1;
      response.resume().once('end', next);
    },
  );
  sent.once('error', () => process.exit()).end();
}

process.on('SIGTERM', () => {
  console.log(JSON.stringify(statuses));
  process.exit();
});
console.log('ready at the gates');
for (let each = 0; each < Number(atOnce); each++) next();
