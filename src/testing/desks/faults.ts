import { setTimeout as pause } from 'node:timers/promises';
import { ALLOW_POSTGRES, STOP_POSTGRES } from '../server-store/test-store.ts';
import { withClient } from '../with-client.ts';
import type { LinkState } from './network-link.ts';
import type { DeskOfSet, SetOfDesks } from './set-of-desks.ts';

/** Something that happens to one of several desks, or to their database. It ends by itself. */
type Fault = () => Promise<void>;

interface FaultDeps {
  readonly set: SetOfDesks;
  readonly random: () => number;
  /** Writes a line of the history. */
  readonly note: (line: string) => void;
}

/** Returns one fault of each kind, in the order in which they happen first. */
export function createFaults({ set, random, note }: FaultDeps): readonly Fault[] {
  const chosen = (): DeskOfSet => {
    const desk = set.desks[Math.floor(random() * set.desks.length)];
    if (desk === undefined) throw new Error('There are no desks.');
    return desk;
  };
  const between = (least: number, most: number): Promise<void> => pause((least + random() * (most - least)) * 1_000);
  const onLink =
    (state: LinkState, least: number, most: number): Fault =>
    async () => {
      const { name, link } = chosen();
      note(`${name}: link to the database ${state}`);
      link.become(state);
      await between(least, most);
      link.become('open');
    };
  return [
    async () => {
      const desk = chosen();
      note(`${desk.name}: killed`);
      await desk.kill();
      await between(0, 3);
      await desk.start();
    },
    async () => {
      const desk = chosen();
      note(`${desk.name}: stopped`);
      process.kill(desk.process().pid, 'SIGSTOP');
      await between(1, 20);
      process.kill(desk.process().pid, 'SIGCONT');
    },
    async () => {
      note('database: killed');
      await set.postgres().kill();
      await between(0, 2);
      await set.postgres().restart();
    },
    onLink('cut', 1, 6),
    onLink('hung', 2, 10),
    async () => {
      note('database: no disk space');
      await runEach(set, STOP_POSTGRES);
      await between(1, 4);
      await runEach(set, ALLOW_POSTGRES);
    },
    onLink('slow', 2, 6),
    async () => {
      if (set.desks.length > MOST_DESKS) return;
      note('a desk is added');
      await set.addDesk();
    },
  ];
}

const MOST_DESKS = 4;

/** Each in a transaction of its own: locks on several tables at once could be a deadlock with what a desk writes. */
async function runEach({ postgres }: SetOfDesks, statements: readonly string[]): Promise<void> {
  await withClient(postgres().address, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}
