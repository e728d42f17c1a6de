// Commits numbered batches to a store as fast as it can, and prints the number of each, until it is killed.
import { openStore } from '#venue/store/open-store.ts';
import { makeBatch } from './batches.ts';
import { callbacks } from './sample-orders.ts';

const [path = ''] = process.argv.slice(2);
const store = await openStore(path, callbacks);
const saved = await store.load(0);
for (let batch = 1 + Number(saved?.facts['batch'] ?? 0); ; batch += 1) {
  const changes = makeBatch(batch);
  await store.commit(changes);
  process.stdout.write(`${String(batch)}\n`);
  // At most two batches are pending, so that a kill finds visible and pending ones.
  if (batch % 2 === 0) await store.project(2n ** 62n);
}
