import { describe, expect, it } from 'vitest';
import { callbacks } from '#testing/store/sample-orders.ts';
import { openStore } from './open-store.ts';

describe('the location of a store', () => {
  it.each(['', 'mysql://desk@localhost/venue', 'HTTP://localhost/'])(
    'is refused if it is neither memory, file nor PostgreSQL: %s',
    async (spec) => {
      await expect(openStore(spec, callbacks)).rejects.toThrow(
        `The store must be :memory:, the path of a file or postgres://<user>@<host>/<database>, not "${spec}".`,
      );
    },
  );

  it('is reported without its password if PostgreSQL cannot be reached', async () => {
    const spec = 'postgres://desk:secret@127.0.0.1:1/venue?password=secret';
    await expect(openStore(spec, callbacks)).rejects.toThrow(
      'The store postgres://desk@127.0.0.1:1/venue?password=... cannot be reached. Check that PostgreSQL is running there, and the address.',
    );
  });
});
