import { Dialog } from '../../play/parts/Dialog';
import { Refused } from '../../play/parts/states';
import { useText } from '../../play/text';
import { useRelation } from '../useRelation';

interface Props {
  id: string;
  name: string;
  onClose(): void;
  onBlocked(): void;
}

/** Asks once, and says what a block does. */
export function BlockDialog({ id, name, onClose, onBlocked }: Props) {
  const { t } = useText();
  const relation = useRelation(id);
  const block = () =>
    relation.mutate('block', {
      onSuccess: () => {
        onClose();
        onBlocked();
      },
    });
  return (
    <Dialog title={t('block.title', { name })} onClose={onClose}>
      <p>{t('block.text', { name })}</p>
      <Refused error={relation.error} />
      <div className="buttons">
        <button type="button" className="button danger" disabled={relation.isPending} onClick={block}>
          {relation.isPending ? t('wait') : t('block.sure')}
        </button>
      </div>
    </Dialog>
  );
}
