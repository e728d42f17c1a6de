import { lazyCode } from '#page/kit/lazy.tsx';

/** It loads while the first responses are on their way. */
export const useListCode = lazyCode(async () => (await import('./list-code.ts')).listCode);
