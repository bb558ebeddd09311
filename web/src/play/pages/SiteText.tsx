import { useQuery } from '@tanstack/react-query';
import { ofBoth } from '../../i18n/texts';
import { Contact } from '../parts/Contact';
import { Head } from '../parts/Head';
import { Empty, Failed, Loading } from '../parts/states';
import { siteRead } from '../reads';
import { useText } from '../text';
import styles from './Imprint.module.css';

/** The terms or the privacy policy, as the site's configuration has them. */
export function SiteText({ which }: { which: 'terms' | 'privacy' }) {
  const { t, language } = useText();
  const { data, error, isPending, refetch } = useQuery(siteRead);
  const text = data ? ofBoth(data[which], language) : '';
  const organiser = data ? ofBoth(data.organiser, language) : '';
  return (
    <>
      <Head title={t(`texts.${which}`)} back="/" />
      {isPending && <Loading />}
      {!data && error && <Failed error={error} retry={() => void refetch()} />}
      {data && text === '' && <Empty title={t('texts.none')} />}
      <p className={styles.lines}>{text}</p>
      {(organiser || data?.contact) && (
        <p className="quiet">
          {organiser} {data?.contact && <Contact to={data.contact} />}
        </p>
      )}
    </>
  );
}

export const Terms = () => <SiteText which="terms" />;
export const Privacy = () => <SiteText which="privacy" />;
