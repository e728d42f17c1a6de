// Starts several desks on one PostgreSQL database, for trying them out on one machine.
import '#files/owner-only.ts';
import { runDesks } from './run-desks.ts';

const problems = await runDesks(process.env, process.argv.slice(2));
for (const problem of problems) console.error(`perpdesk: ${problem}`);
if (problems.length > 0) process.exit(1);
