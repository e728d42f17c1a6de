// Adds alerts one by one and delivers their notifications, in a process that a test kills: main.ts <folder> <address>
// <first> <last>.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openNotificationRoom } from '#server/alerts/notifications/open-notification-room.ts';
import { prepareDataFolder } from '#server/ops/process/data-folder.ts';
import { createRealPorts } from '#server/ops/process/real-ports.ts';
import { createLease } from '#server/store/lease.ts';
import { openStore } from '#server/store/open-store.ts';
import { SECRET } from './receiver.ts';
import { addressed, sampleEvent } from './sample-events.ts';

const [, , dataDir = '', url = '', first, last] = process.argv;
const ports = createRealPorts('error');
prepareDataFolder(dataDir, console.error);
const store = await openStore(
  { dataDir, databaseUrl: null },
  {
    ...ports,
    report: (event, reason) => {
      console.error(event, reason);
    },
  },
);
const lease = createLease({ ...ports, store, name: 'calls', holder: String(process.pid) });
const notifications = openNotificationRoom({
  links: { pathOf: () => null },
  ...ports,
  leaderStore: store,
  lease,
  settings: [{ name: 'desk', kind: 'standard', url, secret: SECRET, allowsPrivate: false }],
  deskUrl: () => null,
  gatherMs: 5,
});
void lease.start();
notifications.start();
for (let n = Number(first); n <= Number(last); n++) {
  await notifications.enqueue(addressed([sampleEvent(n)], ['desk']));
  console.log(n);
  // SQLite works synchronously, so sockets need their turn between two of its writes.
  await nextTurn();
}
const isWaiting = async (): Promise<boolean> =>
  (await notifications.describe()).channels.some(({ waiting }) => waiting > 0);
while (await isWaiting()) await ports.pause(5, new AbortController().signal);
await notifications.close();
await lease.close();
await store.close();
