import type { ListControl } from './use-list-state.ts';

interface ShareCodesProps {
  readonly list: ListControl;
  readonly className?: string | undefined;
}

/** Whether addresses contain codes as they are, instead of their aliases. */
export function ShareCodes({ list: { sharesCodes, shareCodes }, className }: ShareCodesProps) {
  return (
    <label className={className}>
      <input
        type="checkbox"
        checked={sharesCodes}
        onChange={({ target }) => {
          shareCodes(target.checked);
        }}
      />{' '}
      Show account, firm and connection codes in links
    </label>
  );
}
