/** The parts of the peers that are used here, so that types can be checked before a first benchmark run installs them. */

declare module '@duckdb/node-api' {
  interface Connection {
    readonly run: (sql: string) => Promise<unknown>;
    readonly runAndReadAll: (sql: string) => Promise<{ readonly currentRowCount: number }>;
    readonly closeSync: () => void;
  }
  export const DuckDBInstance: {
    readonly create: () => Promise<{ readonly connect: () => Promise<Connection>; readonly closeSync: () => void }>;
  };
}
