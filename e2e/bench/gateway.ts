/** The signing proxy under load, compared with other proxies that do the same or less. Arguments: `--rounds` (5). */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { latencyGoals, measureAddedLatency, printAddedLatency } from './gateway/added-latency.ts';
import { idleGoals, measureIdle, printIdle } from './gateway/idle.ts';
import { measurePages, pageGoals, printPages } from './gateway/pages.ts';
import { OTHER_CORE, PEERS, startProxy, startUpstream, type ProxyName } from './gateway/servers.ts';
import { measureWorkingSet, printWorkingSet, workingSetGoals } from './gateway/working-set.ts';
import { pinThisProcess, type Program } from './lib/program.ts';
import { artifacts, publish } from './lib/report.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(values.rounds);

pinThisProcess(OTHER_CORE);
await using upstream = await startUpstream();

async function measureBesidePeers() {
  await using started = new AsyncDisposableStack();
  const proxies = new Map<ProxyName, Program>();
  for (const name of ['gateway', 'nginx', ...PEERS] as const) {
    const proxy = await startProxy(name, upstream.address);
    if (proxy === null) console.log(`${name} is not installed: not run.`);
    else proxies.set(name, started.use(proxy));
  }
  const pages = await measurePages(proxies, rounds);
  printPages(pages);
  const latency = await measureAddedLatency(proxies, upstream, rounds);
  printAddedLatency(latency);
  return { pages, latency };
}

const { pages, latency } = await measureBesidePeers();
const workingSet = await measureWorkingSet(upstream.address, rounds);
printWorkingSet(workingSet);
const idle = await measureIdle(upstream.address);
printIdle(idle);

publish(
  'gateway',
  [...pageGoals(pages), ...latencyGoals(latency), ...workingSetGoals(workingSet), ...idleGoals(idle)],
  {
    pages: {
      same: Object.fromEntries(pages.same),
      distinct: Object.fromEntries(pages.distinct),
      notModified: Object.fromEntries(pages.notModified),
    },
    latency,
    workingSet: {
      ...workingSet,
      stored: Object.fromEntries(workingSet.stored),
      misses: Object.fromEntries(workingSet.misses),
    },
    idle,
  },
);
rmSync(join(artifacts, 'gateway'), { recursive: true, force: true });
