import { useProvideCommands } from '#page/kit/commands.tsx';

export function useEvidenceCommand(open: () => void): void {
  useProvideCommands(() => [
    { group: 'This screen', label: 'Evidence', remark: 'Save what is on screen with answers and proof', run: open },
  ]);
}
