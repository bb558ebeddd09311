import { useQuery } from '@tanstack/react-query';
import type { ImprintBody } from '../../api/wire';
import { ofBoth } from '../../i18n/texts';
import { Contact } from '../parts/Contact';
import { siteRead } from '../reads';
import { useText } from '../text';
import styles from './Imprint.module.css';

/** Who runs an activity, its rules in full, whom to ask, and a word to those who are not of age. */
export function Imprint({ of }: { of: ImprintBody }) {
  const { t, language } = useText();
  const { data: site } = useQuery(siteRead);
  const organiser = of.organiser || (site ? ofBoth(site.organiser, language) : '');
  const contact = of.contact || site?.contact || '';
  const minors = site ? ofBoth(site.minors, language) : '';
  if (!organiser && !contact && !of.rules && !minors) return null;
  return (
    <section className={`section ${styles.imprint}`} data-testid="imprint">
      <h2>{t('imprint.title')}</h2>
      {of.rules && <p className={styles.lines}>{of.rules}</p>}
      <dl>
        {organiser && (
          <>
            <dt>{t('imprint.organiser')}</dt>
            <dd>{organiser}</dd>
          </>
        )}
        {contact && (
          <>
            <dt>{t('imprint.contact')}</dt>
            <dd>
              <Contact to={contact} />
            </dd>
          </>
        )}
      </dl>
      {minors && <p className="quiet">{minors}</p>}
    </section>
  );
}
