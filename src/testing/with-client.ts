import { Client } from 'pg';

/** Connects to a PostgreSQL database for the duration of a task. */
export async function withClient<Result>(address: string, act: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client(address);
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}
