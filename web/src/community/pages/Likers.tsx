import { useParams } from 'react-router';
import { Head } from '../../play/parts/Head';
import { useText } from '../../play/text';
import { PersonList } from '../parts/PersonList';

/** Who liked a post. */
export default function Likers() {
  const { id = '' } = useParams();
  const { t } = useText();
  return (
    <>
      <Head title={t('likers.title')} back={`/posts/${id}`} />
      <PersonList list="likers" id={id} empty={t('likers.empty')} />
    </>
  );
}
