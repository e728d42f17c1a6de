// Checks an evidence file: `npm run evidence -- check FILE`. The check needs neither a running Perpdesk nor a network.
import '#files/owner-only.ts';
import { readFile, stat } from 'node:fs/promises';
import { checkEvidence, type Finding } from './check-evidence.ts';
import { LIMITS } from './read-zip.ts';

const USAGE = 'Usage: perpdesk evidence check FILE.zip (in the repository: npm run evidence -- check FILE.zip)';

async function check(path: string): Promise<readonly Finding[]> {
  // The size is checked first, because a larger file might not fit into memory.
  const { size } = await stat(path);
  if (size > LIMITS.zipBytes)
    return [{ holds: false, sentence: `The file is larger than ${String(LIMITS.zipBytes / 2 ** 20)} MB.` }];
  return checkEvidence(await readFile(path));
}

/** Replaces control characters, with which a hostile file could change what a terminal shows. */
function toPrintable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '�');
}

const [command, path, ...others] = process.argv.slice(2);
if (command !== 'check' || path === undefined || others.length > 0) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  try {
    const findings = await check(path);
    for (const { holds, sentence } of findings)
      console.log(toPrintable(`${holds ? 'holds   ' : 'DOES NOT'}  ${sentence}`));
    const wrong = findings.filter(({ holds }) => !holds).length;
    console.log(wrong === 0 ? '\nEverything holds.' : `\n${String(wrong)} of ${String(findings.length)} do not hold.`);
    process.exitCode = wrong === 0 ? 0 : 1;
  } catch (error) {
    console.error(toPrintable(error instanceof Error ? error.message : String(error)));
    process.exitCode = 2;
  }
}
