import { Head } from '../../play/parts/Head';
import { useText } from '../../play/text';
import { PersonList } from '../parts/PersonList';

/** Whom I have blocked; their pages have the way to end it. */
export default function Blocked() {
  const { t } = useText();
  return (
    <>
      <Head title={t('blocked.title')} back="/me" />
      <PersonList list="blocked" id="" empty={t('blocked.empty')} />
    </>
  );
}
