import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { Head } from '../../play/parts/Head';
import { shownName } from '../../play/people';
import { useText } from '../../play/text';
import { PersonList } from '../parts/PersonList';
import { memberRead } from '../reads';

/** Who follows somebody. */
export default function Followers() {
  const { id = '' } = useParams();
  const { t } = useText();
  const member = useQuery(memberRead(id)).data;
  return (
    <>
      <Head title={t('followers.title')} back={`/members/${id}`} />
      {member && <p className="lead">{t('followers.of', { name: shownName(member.name, t) })}</p>}
      <PersonList list="followers" id={id} empty={t('followers.empty')} />
    </>
  );
}
