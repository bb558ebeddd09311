import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { Head } from '../../play/parts/Head';
import { shownName } from '../../play/people';
import { useText } from '../../play/text';
import { PersonList } from '../parts/PersonList';
import { memberRead } from '../reads';

/** Whom somebody follows. */
export default function Following() {
  const { id = '' } = useParams();
  const { t } = useText();
  const member = useQuery(memberRead(id)).data;
  return (
    <>
      <Head title={t('following.title')} back={`/members/${id}`} />
      {member && <p className="lead">{t('following.of', { name: shownName(member.name, t) })}</p>}
      <PersonList list="following" id={id} empty={t('following.empty')} />
    </>
  );
}
