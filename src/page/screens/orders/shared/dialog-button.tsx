interface DialogButtonProps {
  readonly name: string;
  readonly open: () => void;
}

/** Opens a dialog of the toolbar. */
export function DialogButton({ name, open }: DialogButtonProps) {
  return (
    <button type="button" aria-haspopup="dialog" onClick={open}>
      {name}
    </button>
  );
}
