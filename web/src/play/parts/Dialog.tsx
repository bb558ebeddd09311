import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useText } from '../text';
import { Cross } from './art';

interface DialogProps {
  title: string;
  onClose(): void;
  children: ReactNode;
  /** A look of its own. */
  className?: string;
  /** The title is read out but not shown. */
  titleHidden?: boolean;
}

/** A real dialog: the browser keeps the focus in, gives it back, and closes it with Escape. */
export function Dialog({ title, onClose, children, className = '', titleHidden = false }: DialogProps) {
  const { t } = useText();
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Closed while it still is in the page: one that is taken out of it gives no focus back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={`dialog ${className}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="dialog-head">
        <h2 id={id} className={titleHidden ? 'unseen' : undefined}>
          {title}
        </h2>
        <button type="button" className="icon-button" onClick={onClose} aria-label={t('close')}>
          <Cross />
        </button>
      </div>
      {children}
    </dialog>
  );
}
