/** Runs in the browser: measures the contender named in the address and sends the result back. */
import { measure } from './measure.ts';
import type { Read } from './read.ts';

const query = new URLSearchParams(location.search);

async function measureHere() {
  proveThatThePolicyHolds();
  const [module, answer] = await Promise.all([
    import(/* @vite-ignore */ `/${query.get('contender') ?? ''}.js`) as Promise<{ readonly read: Read }>,
    fetch('/orders.json'),
  ]);
  return measure(module.read, await answer.text(), Number(query.get('rows')));
}

/**
 * Throws if the policy is not in force: without it, contenders that generate code at run time would look faster than
 * they can be on our page.
 */
function proveThatThePolicyHolds(): void {
  try {
    // oxlint-disable-next-line typescript/no-implied-eval -- this is the very thing the policy has to refuse
    new Function('return 1');
  } catch {
    return;
  }
  throw new Error('the content security policy is not in force');
}

const result = await measureHere().catch((error: unknown) => ({ error: String(error) }));
await fetch('/result', { method: 'POST', body: JSON.stringify(result) });
