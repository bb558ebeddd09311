// "I agree", where the site has terms: ticked by hand once, and remembered on this device until they change.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ofBoth } from '../../i18n/texts';
import { siteRead } from '../reads';
import { useText } from '../text';

const KEPT = 'windfall.consent';

function kept(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

export interface ConsentState {
  /** What is sent with a sign-in: the name of the terms that were agreed to. */
  body: { consent?: string };
  /** Whether one may go on; says so beside the box if not. */
  ask(): boolean;
  box: { consent: string | undefined; ticked: boolean; missing: boolean; tick(on: boolean): void };
}

export function useConsent(): ConsentState {
  const consent = useQuery(siteRead).data?.consent ?? undefined;
  const [ticked, setTicked] = useState<boolean>();
  const [missing, setMissing] = useState(false);
  const agreed = consent !== undefined && (ticked ?? kept() === consent);
  return {
    body: agreed && consent !== undefined ? { consent } : {},
    ask: () => {
      setMissing(consent !== undefined && !agreed);
      if (agreed) {
        try {
          localStorage.setItem(KEPT, consent);
        } catch {
          // A browser that keeps nothing is asked again.
        }
      }
      return consent === undefined || agreed;
    },
    box: {
      consent,
      ticked: agreed,
      missing: missing && !agreed,
      tick: setTicked,
    },
  };
}

export function ConsentBox({ consent, ticked, missing, tick }: ConsentState['box']) {
  const { t, language } = useText();
  const { data: site } = useQuery(siteRead);
  const minors = site ? ofBoth(site.minors, language) : '';
  return (
    <>
      {consent !== undefined && (
        <label className="tick">
          <input
            type="checkbox"
            checked={ticked}
            aria-invalid={missing || undefined}
            aria-describedby={missing ? 'consent-missing' : undefined}
            onChange={({ target }) => tick(target.checked)}
          />
          <span>
            {t('consent.before')} <Link to="/terms">{t('texts.terms')}</Link> {t('consent.and')}{' '}
            <Link to="/privacy">{t('texts.privacy')}</Link>
          </span>
        </label>
      )}
      {missing && (
        <p className="wrong" id="consent-missing" role="alert">
          {t('consent.needed')}
        </p>
      )}
      {minors && <p className="quiet">{minors}</p>}
    </>
  );
}
