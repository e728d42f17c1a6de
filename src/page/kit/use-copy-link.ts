import { useAnnounce } from './live-region.tsx';
import { useToast } from './toast.tsx';

/** Returns a function that copies the address of the screen as it is, and says whether it could. */
export function useCopyLink(): (onCopied?: () => void) => void {
  const showToast = useToast();
  const announce = useAnnounce();
  return (onCopied) => {
    // Browsers have a clipboard only over https or on this machine.
    const copy = async (): Promise<void> => navigator.clipboard.writeText(location.href);
    copy().then(
      () => {
        onCopied?.();
        announce('Link copied.');
      },
      () => {
        showToast('The browser did not let the link be copied: copy the address instead.');
      },
    );
  };
}
